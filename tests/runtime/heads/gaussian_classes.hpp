// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Synthetic classes: Gaussians about random means, all with the same correlated noise.
//
//   GaussianClasses world(seed, classes, dimensions, 2.0);
//   Examples train = world.draw(600);            // labels 0 .. classes-1 at random
//   double share = accuracy(*head, world.draw(200));

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "jackdaw/head.hpp"

namespace jackdaw::testing {

struct Examples {
  std::size_t dimensions = 0;
  std::vector<float> embeddings;     // [count][dimensions]
  std::vector<std::uint32_t> slots;  // [count]

  std::size_t count() const { return slots.size(); }
  Span<const float> batch(std::size_t first, std::size_t size) const {
    return Span<const float>(embeddings).subspan(first * dimensions, size * dimensions);
  }
  Span<const std::uint32_t> labels(std::size_t first, std::size_t size) const {
    return Span<const std::uint32_t>(slots).subspan(first, size);
  }
};

class GaussianClasses {
 public:
  // separation: the deviation of the means, where that of the noise is about 1.
  GaussianClasses(std::uint64_t seed, std::uint32_t classes, std::size_t dimensions,
                  double separation)
      : random_(seed), classes_(classes), dimensions_(dimensions) {
    for (std::size_t i = 0; i < classes * dimensions; ++i) means_.push_back(separation * normal());
    for (std::size_t i = 0; i < dimensions; ++i) {  // a few directions carry more noise
      spread_.push_back(i % 4 == 0 ? 2.0 : 0.7);
    }
  }

  Examples draw(std::size_t count) {
    std::vector<std::uint32_t> slots(count);
    for (std::uint32_t& slot : slots) slot = static_cast<std::uint32_t>(random_() % classes_);
    return draw(slots);
  }

  Examples draw(const std::vector<std::uint32_t>& slots) {
    Examples examples{dimensions_, {}, slots};
    for (const std::uint32_t slot : slots) {
      double before = 0.0;  // each dimension leans on the one before it
      for (std::size_t i = 0; i < dimensions_; ++i) {
        before = 0.6 * before + spread_[i] * normal();
        examples.embeddings.push_back(static_cast<float>(means_[slot * dimensions_ + i] + before));
      }
    }
    return examples;
  }

 private:
  double normal() { return normal_(random_); }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::uint32_t classes_;
  std::size_t dimensions_;
  std::vector<double> means_;
  std::vector<double> spread_;
};

inline void teach_all(Head& head, const Examples& examples, std::size_t batch) {
  for (std::size_t at = 0; at < examples.count(); at += batch) {
    const std::size_t size = std::min(batch, examples.count() - at);
    if (head.teach(examples.batch(at, size), examples.labels(at, size)) != Status::kOk) {
      throw std::runtime_error("the head refused to be taught");
    }
  }
  if (head.refresh() != Status::kOk) throw std::runtime_error("the head refused to refresh");
}

// [count][max_classes]
inline std::vector<float> scores_of(Head& head, const Examples& examples) {
  std::vector<float> scores(examples.count() * head.max_classes());
  for (std::size_t b = 0; b < examples.count(); ++b) {
    const Span<float> row(scores.data() + b * head.max_classes(), head.max_classes());
    if (head.predict(examples.batch(b, 1), row) != Status::kOk) {
      throw std::runtime_error("the head refused to answer");
    }
  }
  return scores;
}

inline double accuracy(Head& head, const Examples& examples) {
  const std::vector<float> scores = scores_of(head, examples);
  std::size_t right = 0;
  for (std::size_t b = 0; b < examples.count(); ++b) {
    const float* row = scores.data() + b * head.max_classes();
    right += std::max_element(row, row + head.max_classes()) == row + examples.slots[b];
  }
  return static_cast<double>(right) / static_cast<double>(examples.count());
}

}  // namespace jackdaw::testing
