// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A dot product in double, in eight sums at a time: a compiler may not reorder one long sum, but it
// can put eight of them into vector registers. The order is fixed, so the bits are too.

#include <cstddef>

namespace jackdaw {

template <class A, class B>
static inline double dot(const A* a, const B* b, std::size_t size) noexcept {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
    }
  }
  double rest = 0.0;
  for (; i < size; ++i) rest += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])) +
         rest;
}

static inline double square_of(const float* a, std::size_t size) noexcept {
  return dot(a, a, size);
}

static inline void scale_all(const float* a, std::size_t size, double factor, float* out) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    out[i] = static_cast<float>(static_cast<double>(a[i]) * factor);
  }
}

}  // namespace jackdaw
