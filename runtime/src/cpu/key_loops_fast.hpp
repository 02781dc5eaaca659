// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of primitives_fast.hpp that finds keys: similarities in whole numbers, and the largest
// of them. Included by it alone, under its rules.

#include <cstddef>
#include <cstdint>

#include "core/fixed_point.hpp"
#include "core/store_view.hpp"
#include "cpu/primitives.hpp"

namespace jackdaw {
namespace {

// Four keys against all examples.
[[maybe_unused]] void four_keys(const std::int8_t* const* key, const std::int8_t* examples,
                                std::size_t batch, std::size_t stride,
                                const std::int32_t* example_sums, std::int32_t* out,
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

std::int32_t sum_of_bytes(const std::int8_t* x, std::size_t stride) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < stride; ++i) sum += x[i];
  return sum;
}

// In parts of the batch that stay in the first-level cache with four keys at a time.
[[maybe_unused]] void fast_similarities(const std::int8_t* keys, std::size_t n, std::size_t stride,
                                        const std::int8_t* examples, std::size_t batch,
                                        std::int32_t* out, std::size_t row) {
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

[[maybe_unused]] void keep_keys(const std::int8_t* keys, std::size_t n, std::size_t stride,
                                std::int8_t* packed) {
  for (std::size_t i = 0; i < n * stride; ++i) packed[i] = keys[i];
}

template <std::size_t Parts>
void low_parts(const std::int8_t* keys, const std::uint32_t* indices, std::size_t count,
               std::size_t stride, const std::int8_t* low, std::int32_t* out, std::size_t row) {
  std::int32_t sums[Parts];
  for (std::size_t part = 0; part < Parts; ++part) {
    sums[part] = sum_of_bytes(low + part * stride, stride);
  }
  for (std::size_t c = 0; c < count; c += 4) {
    const std::int8_t* key[4];
    for (std::size_t k = 0; k < 4; ++k) {
      key[k] = keys + indices[c + k < count ? c + k : count - 1] * stride;
    }
    std::int32_t four[Parts][4];
    dot_bytes<Parts>(key, low, stride, sums, four[0], 4);
    for (std::size_t part = 0; part < Parts; ++part) {
      for (std::size_t k = 0; k < 4 && c + k < count; ++k) out[part * row + c + k] = four[part][k];
    }
  }
}

void fast_low_similarities(const std::int8_t* keys, const std::uint32_t* indices, std::size_t count,
                           std::size_t stride, const std::int8_t* low, std::size_t parts,
                           std::int32_t* out, std::size_t row) {
  (parts == 2 ? low_parts<2> : low_parts<3>)(keys, indices, count, stride, low, out, row);
}

// Block by block through the stack, so that the compiler sees that nothing overlaps.
[[maybe_unused]] void fast_split(const float* x, std::size_t stride, SplitExample& example) {
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

std::size_t fast_collect(const std::int32_t* values, std::size_t n, std::int32_t bound,
                         std::uint32_t* indices) {
  std::size_t count = 0;
  std::size_t j = 0;
  for (; j + 16 <= n; j += 16) {
    count += append_reached(values + j, bound, static_cast<std::uint32_t>(j), indices + count);
  }
  for (; j < n; ++j) {
    if (values[j] >= bound) indices[count++] = static_cast<std::uint32_t>(j);
  }
  return count;
}

std::size_t count_at_least(const std::int32_t* values, std::size_t n, std::int32_t bound) {
  std::int32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += values[i] >= bound ? 1 : 0;
  return static_cast<std::size_t>(count);
}

constexpr std::int64_t kStepOfFloats = std::int64_t{1} << 23U;  // sortable: half the value

// By halving: at least k values reach `low`, fewer than k reach `high`. Done when few more than k
// reach it, or when nothing is left between the two. The k-th largest is not far below the largest,
// so the way down to `low` starts with a small step.
std::int32_t halve(const std::int32_t* values, std::size_t n, std::size_t k, std::size_t more) {
  std::int32_t most = values[0];
  for (std::size_t i = 1; i < n; ++i) most = values[i] > most ? values[i] : most;
  std::int64_t high = std::int64_t{most} + 1;
  std::int64_t step = 1 + (most < 0 ? -std::int64_t{most} : std::int64_t{most}) / 2;
  step = step < kStepOfFloats ? step : kStepOfFloats;
  std::int64_t low = most - step;
  while (low > INT32_MIN) {
    const std::size_t count = count_at_least(values, n, static_cast<std::int32_t>(low));
    if (count >= k && count <= k + more) return static_cast<std::int32_t>(low);
    if (count > k) break;
    high = low;
    step *= 4;
    low = most - step;
  }
  low = low > INT32_MIN ? low : INT32_MIN;
  while (high - low > 1) {
    const auto middle = static_cast<std::int32_t>(low + (high - low) / 2);
    const std::size_t count = count_at_least(values, n, middle);
    if (count >= k && count <= k + more) return middle;
    (count > k ? low : high) = middle;
  }
  return static_cast<std::int32_t>(low);
}

std::int32_t fast_reached_by(const std::int32_t* values, std::size_t n, std::size_t k) {
  return halve(values, n, k, k / 16);
}

void fast_top_k(const std::int32_t* values, std::size_t n, std::size_t k, std::uint32_t* chosen) {
  const std::int32_t bound = halve(values, n, k, 0);
  if (count_at_least(values, n, bound) == k) {
    fast_collect(values, n, bound, chosen);
    return;
  }
  // Of those that only just reach it, as many as there is room for, the lower indices first.
  std::size_t spare = k - (bound == INT32_MAX ? 0 : count_at_least(values, n, bound + 1));
  std::size_t taken = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const bool just = values[j] == bound && spare > 0;
    if (values[j] > bound || just) chosen[taken++] = static_cast<std::uint32_t>(j);
    spare -= just ? 1 : 0;
  }
}

}  // namespace
}  // namespace jackdaw
