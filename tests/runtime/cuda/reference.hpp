// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rule in plain loops over vectors, written from the specification and not from the kernels:
// what the emulated launches are compared with, bit for bit.
//
//   Reference model(settings);          // fill its vectors
//   auto chosen = model.choose(example);
//   model.teach(example, slot, +1, Part::kBoth);

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/settings.hpp"

namespace jackdaw::reference {

float lane_dot(const std::vector<float>& a, const std::vector<float>& b);

// An example of either profile: int8 values (default) or a unit vector (seed), padded.
using Example = std::vector<float>;

struct Chosen {
  std::vector<std::uint32_t> index;  // ascending
  std::vector<float> weight;         // shares (default) or similarities (seed)
  float total = 0.0F;                // seed
};

class Reference {
 public:
  explicit Reference(const EnsembleSettings& settings);

  std::vector<double> similarities(const Example& x) const;  // exact: int32 or float in a double
  Chosen choose(const std::vector<double>& similarities) const;
  Example whiten(const Example& x) const;
  std::vector<ClassScore> predict(const Example& x) const;
  void teach(const Example& x, std::uint32_t slot, int sign, Part part);
  void teach_batch(const std::vector<Example>& xs, const std::vector<std::uint32_t>& slots);
  float norm(std::uint32_t slot) const;  // m'Pm
  void measure_keys();                   // inverse_lengths, from the keys
  void pool();

  std::size_t row(std::size_t j, std::size_t c) const { return j * settings.max_classes + c; }
  std::vector<float> row_of(std::size_t j, std::size_t c) const;

  EnsembleSettings settings;
  std::size_t stride;
  std::vector<std::int8_t> keys;           // [n][stride]
  std::vector<float> inverse_lengths;      // [n]: 1/|key|
  std::vector<std::int32_t> rows;          // [n][classes][stride]
  std::vector<std::int32_t> counts;        // [n][classes]
  std::vector<std::int32_t> class_sums;    // [classes][stride]
  std::vector<std::int32_t> class_counts;  // [classes]
  std::vector<std::int32_t> class_clipped;
  std::vector<std::int32_t> scatter;  // [stride][stride]
  std::vector<float> inverse;         // [stride][stride]
  std::vector<float> class_norms;
  float common_norm = 1.0F;  // pooled from the class norms
  float scale = 1.0F;

 private:
  std::vector<ClassScore> predict_default(const Example& x, const Chosen& chosen) const;
  std::vector<ClassScore> predict_seed(const Example& x, const Chosen& chosen) const;
  float settled_norm(std::size_t c) const;
  float seed_argument(const Example& x, std::size_t j, std::size_t c) const;
  void step(std::size_t j, std::size_t c, const std::vector<int>& change, int sign, int bias);
};

}  // namespace jackdaw::reference
