// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "bench/bench.hpp"

#include <random>

#include "jackdaw/error.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::uint64_t padded(std::uint64_t dimensions) { return (dimensions + 31) / 32 * 32; }

}  // namespace

StepBytes step_bytes(const EnsembleSettings& s, std::uint32_t classes) {
  const std::uint64_t stride = padded(s.dimensions);
  const std::uint64_t row = stride * element_bytes(s.store);
  const bool seed = s.profile == Profile::kSeed;
  const std::uint64_t keys = s.classifiers * stride * (seed ? 4 : 1);
  const std::uint64_t rows_read = std::uint64_t{s.nearest} * classes * (row + 4);
  const std::uint64_t rows_written = std::uint64_t{s.nearest} * (row + 4) * 2;  // read and written
  if (seed) return {keys + rows_read, keys + rows_written};
  const std::uint64_t whitening = stride * stride * 4;
  const std::uint64_t sums = classes * stride * 4;
  const std::uint64_t scatter = stride * (stride + 16) / 2 * 4 * 2;  // read and written
  return {keys + whitening + sums + rows_read,
          keys + whitening + stride * 4 * 2 + scatter + rows_written};
}

std::vector<Floor> floors(const EnsembleSettings& settings, std::uint32_t classes) {
  const StepBytes bytes = step_bytes(settings, classes);
  std::vector<Floor> result{
      {"Orin Nano", 68e9}, {"Orin NX", 102e9}, {"AGX Orin", 204.8e9}, {"Thor", 273e9}};
  for (Floor& f : result) {
    f.predict_us = static_cast<double>(bytes.predict) / f.bandwidth * 1e6;
    f.teach_us = static_cast<double>(bytes.teach) / f.bandwidth * 1e6;
  }
  return result;
}

std::unique_ptr<Ensemble> full_ensemble(const EnsembleSettings& s, Device device) {
  auto ensemble = make_ensemble(s, device);
  std::mt19937_64 random(1);
  std::uint32_t slot = 0;
  const std::vector<std::byte> examples = random_examples(*ensemble, 64, 2);
  // A class section as it looks after many examples: every classifier taught equally often.
  std::vector<std::byte> section(ensemble->class_section_bytes());
  while (ensemble->open_class(slot) == Status::kOk) {
    for (std::size_t e = 0; e < 2; ++e) {
      const std::size_t at = (slot + e) % 64 * ensemble->example_bytes();
      static_cast<void>(
          ensemble->teach(Span<const std::byte>(examples).subspan(at, ensemble->example_bytes()),
                          slot, Part::kBoth));
    }
    if (ensemble->export_class(slot, section) != Status::kOk) throw Error("cannot export a class");
    const std::size_t row_bytes = padded(s.dimensions) * element_bytes(s.store);
    const std::size_t counts = row_bytes * s.classifiers;
    auto* values = reinterpret_cast<std::int32_t*>(section.data() + counts);
    for (std::uint32_t j = 0; j < s.classifiers; ++j)
      values[j] = static_cast<std::int32_t>(s.nearest);
    auto* tail = reinterpret_cast<std::int32_t*>(section.data() + section.size() - 8);
    tail[0] = static_cast<std::int32_t>(s.classifiers);
    if (s.store == StoreType::kInt16) {
      auto* rows = reinterpret_cast<std::int16_t*>(section.data());
      for (std::size_t j = 0; j < s.classifiers; ++j) {
        for (std::size_t i = 0; i < s.dimensions; ++i) {
          rows[j * padded(s.dimensions) + i] = static_cast<std::int16_t>(random() % 201 - 100);
        }
      }
    }
    if (ensemble->import_class(slot, section) != Status::kOk) throw Error("cannot import a class");
  }
  static_cast<void>(ensemble->refresh());
  return ensemble;
}

std::vector<std::byte> random_examples(const Ensemble& ensemble, std::size_t count,
                                       std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const std::size_t bytes = ensemble.example_bytes();
  std::vector<std::byte> examples(count * bytes);
  std::vector<float> embedding(ensemble.settings().dimensions);
  for (std::size_t e = 0; e < count; ++e) {
    for (float& value : embedding) value = normal(random);
    if (ensemble.admit(embedding, Span<std::byte>(examples).subspan(e * bytes, bytes)) !=
        Status::kOk) {
      throw Error("cannot admit an example");
    }
  }
  return examples;
}

}  // namespace jackdaw::bench
