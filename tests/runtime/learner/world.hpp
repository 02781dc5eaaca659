// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Synthetic embeddings: one Gaussian for each class about a random mean.
//
//   World world(seed(), 10, 24);
//   learner.teach(world.draw(3), world.name(3));

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace jackdaw::testing {

class World {
 public:
  // separation: the deviation of the means, where that of the noise is 1.
  World(std::uint64_t seed, std::size_t classes, std::size_t dimensions, double separation = 2.0)
      : random_(seed), means_(classes, std::vector<double>(dimensions)) {
    for (auto& mean : means_) {
      for (double& value : mean) value = separation * normal_(random_);
    }
  }

  std::vector<float> draw(std::size_t of) {
    std::vector<float> embedding;
    embedding.reserve(means_[of].size());
    for (const double mean : means_[of])
      embedding.push_back(static_cast<float>(mean + normal_(random_)));
    return embedding;
  }

  std::size_t classes() const { return means_.size(); }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  static std::string name(std::size_t of) { return "class " + std::to_string(of); }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<std::vector<double>> means_;
};

}  // namespace jackdaw::testing
