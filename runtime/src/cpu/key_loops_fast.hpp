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

std::int32_t sum_of_bytes(const std::int8_t* x, std::size_t stride) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < stride; ++i) sum += x[i];
  return sum;
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
