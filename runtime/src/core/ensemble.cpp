// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/ensemble.hpp"

#include <algorithm>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

// Keeps the examples only; every answer begins anew.
class PlainQuestions final : public Questions {
 public:
  PlainQuestions(Ensemble& ensemble, Span<const std::byte> examples)
      : ensemble_(ensemble), examples_(examples.begin(), examples.end()) {
    if (examples.size() % ensemble.example_bytes() != 0) {
      throw SettingsError("examples: not a whole number of them");
    }
  }

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override {
    const std::size_t classes = ensemble_.settings().max_classes;
    const std::size_t bytes = ensemble_.example_bytes();
    const std::size_t most = ensemble_.settings().max_batch;
    const std::size_t count = scores.size() / classes;
    if (count * classes != scores.size() || (first + count) * bytes > examples_.size()) {
      return Status::kWrongSize;
    }
    for (std::size_t at = 0; at < count; at += most) {
      const std::size_t batch = std::min(most, count - at);
      const Status status = ensemble_.predict_batch(
          0, Span<const std::byte>(examples_).subspan((first + at) * bytes, batch * bytes),
          scores.subspan(at * classes, batch * classes));
      if (status != Status::kOk) return status;
    }
    return Status::kOk;
  }

 private:
  Ensemble& ensemble_;
  std::vector<std::byte> examples_;
};

}  // namespace

Status Ensemble::admit_batch(Span<const float> embeddings, Span<std::byte> examples) noexcept {
  const std::size_t d = settings().dimensions;
  const std::size_t bytes = example_bytes();
  const std::size_t batch = embeddings.size() / d;
  if (embeddings.size() != batch * d || examples.size() != batch * bytes) return Status::kWrongSize;
  for (std::size_t b = 0; b < batch; ++b) {
    const Status s = admit(embeddings.subspan(b * d, d), examples.subspan(b * bytes, bytes));
    if (s != Status::kOk) return s;
  }
  return Status::kOk;
}

std::unique_ptr<Questions> Ensemble::prepare(Span<const std::byte> examples) {
  return std::make_unique<PlainQuestions>(*this, examples);
}

}  // namespace jackdaw
