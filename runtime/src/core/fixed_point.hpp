// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed's x as whole numbers, in steps of 2^-25. x has length 1, so what is rounded off
// moves a similarity by about 1e-8, as much as summing in float would. Its products with the int8
// keys are whole numbers too, exact in any order, so every machine finds the same k nearest keys.
//
//   similarity of key j = (sum of fixed_point(x[i]) * key[i]) * (1/|key|) * kFixedPointStep
//                         the sum exactly in 64 bits, then rounded to float once for each factor

#include <cstdint>

namespace jackdaw {

constexpr float kFixedPointOne = 33554432.0F;  // 2^25
constexpr float kFixedPointStep = 1.0F / kFixedPointOne;

// The nearest whole number, ties to even, in a form that compilers turn into vector code.
static inline std::int32_t nearest_whole(float value) noexcept {
  constexpr float kAllWhole = 8388608.0F;  // 2^23: floats from here on have no fraction
  const float size = value < 0.0F ? -value : value;
  const float without_fraction = (size + kAllWhole) - kAllWhole;
  const float rounded = size < kAllWhole ? without_fraction : size;
  const auto whole = static_cast<std::int32_t>(rounded);
  return value < 0.0F ? -whole : whole;
}

// Beyond +-1, where no element of a unit vector lies, the nearest of them.
static inline std::int32_t fixed_point(float x) noexcept {
  const float below = x < 1.0F ? x : 1.0F;
  const float inside = below > -1.0F ? below : -1.0F;
  return nearest_whole(inside * kFixedPointOne);
}

static inline float similarity_of(std::int64_t sum, float inverse_length) noexcept {
  return static_cast<float>(sum) * inverse_length * kFixedPointStep;
}

}  // namespace jackdaw
