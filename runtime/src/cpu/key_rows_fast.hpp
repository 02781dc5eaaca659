// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keys that lie row by row, for instruction sets without an order of their own: similarities,
// packing, and cutting an example into bytes. Under the rules of primitives_fast.hpp.

#include <cstddef>
#include <cstdint>

#include "core/fixed_point.hpp"
#include "core/store_view.hpp"
#include "cpu/key_loops_fast.hpp"
#include "cpu/primitives.hpp"

namespace jackdaw {
namespace {

// Four keys against all examples.
void four_keys(const std::int8_t* const* key, const std::int8_t* examples, std::size_t batch,
               std::size_t stride, const std::int32_t* example_sums, std::int32_t* out,
               std::size_t row) {
  constexpr std::size_t E = kBlockExamples;
  std::size_t b = 0;
  for (; b + E <= batch; b += E) {
    dot_bytes<E>(key, examples + b * stride, stride, example_sums + b, out + b * row, row);
  }
  for (; b + 3 <= batch; b += 3) {
    dot_bytes<3>(key, examples + b * stride, stride, example_sums + b, out + b * row, row);
  }
  for (; b < batch; ++b) {
    dot_bytes<1>(key, examples + b * stride, stride, example_sums + b, out + b * row, row);
  }
}

// In parts of the batch that stay in the first-level cache with four keys at a time.
void fast_similarities(const std::int8_t* keys, std::size_t n, std::size_t stride,
                       const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                       std::size_t row) {
  constexpr std::size_t kPart = 8 * kBlockExamples;
  for (std::size_t start = 0; start < batch; start += kPart) {
    const std::size_t count = start + kPart < batch ? kPart : batch - start;
    const std::int8_t* part = examples + start * stride;
    std::int32_t sums[kPart];
    for (std::size_t b = 0; b < count; ++b) sums[b] = sum_of_bytes(part + b * stride, stride);
    std::size_t j = 0;
    for (; j + 4 <= n; j += 4) {
      const std::int8_t* key[4];
      for (std::size_t k = 0; k < 4; ++k) key[k] = keys + (j + k) * stride;
      four_keys(key, part, count, stride, sums, out + start * row + j, row);
    }
    for (; j < n; ++j) {
      const std::int8_t* key[4] = {keys + j * stride, keys + j * stride, keys + j * stride,
                                   keys + j * stride};
      for (std::size_t b = 0; b < count; ++b) {
        std::int32_t four[4];
        dot_bytes<1>(key, part + b * stride, stride, sums + b, four, 4);
        out[(start + b) * row + j] = four[0];
      }
    }
  }
}

void keep_keys(const std::int8_t* keys, std::size_t n, std::size_t stride, std::int8_t* packed) {
  for (std::size_t i = 0; i < n * stride; ++i) packed[i] = keys[i];
}

// Block by block through the stack, so that the compiler sees that nothing overlaps.
void fast_split(const float* x, std::size_t stride, SplitExample& example) {
  std::int32_t wholes[kMostDimensions];
  std::int32_t most = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    wholes[i] = fixed_point(x[i]);
    const std::int32_t size = wholes[i] < 0 ? -wholes[i] : wholes[i];
    most = size > most ? size : most;
  }
  const std::int32_t multiplier = most <= 127 ? 1 : (most + 126) / 127;
  const float factor = 1.0F / static_cast<float>(multiplier);
  V16 squares = V16::zero();
  for (std::size_t i = 0; i < stride; i += 32) {
    std::int8_t bytes[1 + kLowParts][32];
    float rests[32];
    for (std::size_t l = 0; l < 32; ++l) {
      const std::int32_t whole = wholes[i + l];
      const float share = static_cast<float>(whole) * factor;
      const auto high = static_cast<std::int32_t>(share + (share < 0.0F ? -0.5F : 0.5F));
      const std::int32_t rest = whole - high * multiplier;
      const std::int32_t second = (rest + 128) >> 8;
      const std::int32_t third = (second + 128) >> 8;
      rests[l] = static_cast<float>(rest);
      bytes[0][l] = static_cast<std::int8_t>(high);
      bytes[1][l] = static_cast<std::int8_t>(rest);
      bytes[2][l] = static_cast<std::int8_t>(second);
      bytes[3][l] = static_cast<std::int8_t>(third);
    }
    __builtin_memcpy(example.high + i, bytes[0], 32);
    for (std::size_t part = 0; part < kLowParts; ++part) {
      __builtin_memcpy(example.low + part * stride + i, bytes[1 + part], 32);
    }
    for (std::size_t l = 0; l < 32; l += 16) {
      const V16 sixteen = V16::load(rests + l);
      squares = fma(sixteen, sixteen, squares);
    }
  }
  example.multiplier = multiplier;
  example.rest = __builtin_sqrtf(reduce(squares));
}

}  // namespace
}  // namespace jackdaw
