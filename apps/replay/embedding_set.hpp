// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A data set as the heads see it: embeddings with labels, no pictures. Tests make their own.

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw::replay {

struct EmbeddingSplit {
  std::vector<float> embeddings;      // [pictures][dimensions]
  std::vector<std::uint32_t> labels;  // [pictures], indices into the classes
};

struct EmbeddingSet {
  std::string data, encoder;
  std::uint32_t dimensions = 0;
  std::vector<std::string> classes;
  EmbeddingSplit train, test;

  Span<const float> train_at(std::size_t i) const {
    return Span<const float>(train.embeddings).subspan(i * dimensions, dimensions);
  }
};

// [class] -> indices of its pictures, ascending.
std::vector<std::vector<std::uint32_t>> by_class(const std::vector<std::uint32_t>& labels,
                                                 std::size_t classes);

// Only the first `dimensions` numbers of each embedding, which in a calibrated one are those with
// the largest variance. Throws SettingsError if there are fewer.
EmbeddingSet first_dimensions(const EmbeddingSet& set, std::uint32_t dimensions);

}  // namespace jackdaw::replay
