// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Embeddings without pictures: classes are Gaussian clouds around random centres.

#include <random>
#include <string>

#include "replay/embedding_set.hpp"

namespace jackdaw::testing {

inline replay::EmbeddingSplit gaussian_split(const std::vector<std::vector<float>>& centres,
                                             std::size_t each, float noise,
                                             std::mt19937_64& random) {
  replay::EmbeddingSplit split;
  std::normal_distribution<float> normal;
  for (std::size_t c = 0; c < centres.size(); ++c) {
    for (std::size_t i = 0; i < each; ++i) {
      for (const float value : centres[c])
        split.embeddings.push_back(value + noise * normal(random));
      split.labels.push_back(static_cast<std::uint32_t>(c));
    }
  }
  return split;
}

inline replay::EmbeddingSet gaussian_set(std::size_t classes, std::uint32_t dimensions,
                                         std::size_t train_each, std::size_t test_each,
                                         std::uint64_t seed, float noise = 1.0F) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<std::vector<float>> centres(classes, std::vector<float>(dimensions));
  for (auto& centre : centres) {
    for (float& value : centre) value = normal(random);
  }
  replay::EmbeddingSet set;
  set.data = "synthetic";
  set.encoder = "none";
  set.dimensions = dimensions;
  for (std::size_t c = 0; c < classes; ++c) set.classes.push_back("class" + std::to_string(c));
  set.train = gaussian_split(centres, train_each, noise, random);
  set.test = gaussian_split(centres, test_each, noise, random);
  return set;
}

}  // namespace jackdaw::testing
