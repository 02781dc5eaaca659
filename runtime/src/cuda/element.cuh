// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two 16-bit ways to store a whole number of a row, and eight of them at a time.
//
//   const uint4 chunk = load16(row + i);
//   float x = Int16Element::number(element_bits(chunk, 3));

#include "cuda/device_code.hpp"

namespace jackdaw::cuda {

struct Int16Element {
  static constexpr int kLimit = 32767;
  static __device__ __forceinline__ int decode(unsigned bits) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(bits));
  }
  static __device__ __forceinline__ unsigned encode(int value) {
    return static_cast<std::uint16_t>(static_cast<std::int16_t>(value));
  }
  static __device__ __forceinline__ float number(unsigned bits) {
    return static_cast<float>(decode(bits));
  }
};

// Whole numbers to 2,047: exact in both directions.
struct HalfElement {
  static constexpr int kLimit = 2047;
  static __device__ __forceinline__ int decode(unsigned bits) {
    return static_cast<int>(number(bits));
  }
  static __device__ __forceinline__ unsigned encode(int value) {
    return half_of_float(static_cast<float>(value));
  }
  static __device__ __forceinline__ float number(unsigned bits) {
    return float_of_half(static_cast<std::uint16_t>(bits));
  }
};

// The 16 bits of element m (0..7) of a 16-byte chunk.
__device__ __forceinline__ unsigned element_bits(const uint4& chunk, unsigned m) {
  const unsigned word = m < 2 ? chunk.x : m < 4 ? chunk.y : m < 6 ? chunk.z : chunk.w;
  return (m % 2 == 0 ? word : word >> 16U) & 0xFFFFU;
}

// Signed byte m (0..3) of a word.
__device__ __forceinline__ int byte_of(unsigned word, unsigned m) {
  return static_cast<std::int8_t>(static_cast<std::uint8_t>(word >> (8U * m)));
}

__device__ __forceinline__ int sign_of(float value) { return (value > 0.0F) - (value < 0.0F); }

struct Four {
  float value[4];
};

__device__ __forceinline__ Four load_floats(const float* at) {
  const uint4 c = load16(at);
  return {{__uint_as_float(c.x), __uint_as_float(c.y), __uint_as_float(c.z), __uint_as_float(c.w)}};
}

}  // namespace jackdaw::cuda
