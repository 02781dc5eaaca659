// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Chance that is the same again for the same seed and moment.
//
//   float brightness = mix(0.7F, 1.2F, wander(seed, kBrightness, seconds / 3.0));

#include <cmath>
#include <cstdint>

namespace jackdaw::live::demo {

inline std::uint64_t scramble(std::uint64_t value) noexcept {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31U);
}

inline std::uint64_t chance(std::uint64_t seed, std::uint64_t what, std::uint64_t when) noexcept {
  return scramble(scramble(scramble(seed) + what) + when);
}

// 0 to 1: another value at each whole number, and smooth between.
inline float wander(std::uint64_t seed, std::uint64_t what, double when) noexcept {
  const double whole = std::floor(when);
  const auto at = [&](double n) {
    const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(n));
    return static_cast<float>(chance(seed, what, step) >> 40U) / 16777216.0F;
  };
  const auto t = static_cast<float>(when - whole);
  const float eased = t * t * (3 - 2 * t);
  return at(whole) * (1 - eased) + at(whole + 1) * eased;
}

inline float mix(float from, float to, float share) noexcept { return from + (to - from) * share; }

}  // namespace jackdaw::live::demo
