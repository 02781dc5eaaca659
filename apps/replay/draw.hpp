// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The random choices that streams are made of, from the library's own generator: the same bits on
// every machine.

#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {

template <class T>
void shuffle(std::vector<T>& values, Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[static_cast<std::size_t>(random.below(i))]);
  }
}

// 0 .. count-1 in a random order.
std::vector<std::uint32_t> random_order(std::size_t count, Random& random);

// Batches of pictures drawn uniformly, with replacement, from all pictures of these classes.
void draw_batches(const StreamRequest& request, const std::vector<std::uint32_t>& classes,
                  std::uint32_t batches, Random& random, Stream& stream);

// Where part `index` of `parts` begins when `total` batches are shared out evenly.
inline std::uint32_t part_start(std::uint32_t total, std::size_t index, std::size_t parts) {
  return static_cast<std::uint32_t>(std::uint64_t{total} * index / parts);
}

// e^x for x <= 0, of +, * and / only: the same bits on every machine, which libm does not promise.
double portable_exp(double x);

}  // namespace jackdaw::replay
