// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random numbers that are the same on every machine: integers from SplitMix64, normals by
// Marsaglia's polar method with a logarithm of our own (libm's differs in the last bit).
//
//   Random random(seed);
//   double g = random.normal();

#include <cstdint>

namespace jackdaw {

class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t bits() noexcept;
  double uniform() noexcept;  // in (0, 1)
  double normal() noexcept;   // mean 0, variance 1
  // A normal drawn again until it lies within two deviations, as initialisers of networks do.
  double truncated_normal() noexcept;
  std::uint64_t below(std::uint64_t bound) noexcept;  // 0 .. bound-1, without bias

 private:
  std::uint64_t state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

// The deviation of truncated_normal(): what is cut off makes it smaller than 1.
constexpr double kTruncatedDeviation = 0.87962566103423978;

// One well-mixed number from two, to derive independent seeds.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept;

}  // namespace jackdaw
