// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fast loops, written once over a vector of 16 floats. Each instruction set defines `V16` and
// dot_i8_4 in a file of its own, includes this, and fills its table with fast_primitives().
//
// Everything is in an unnamed namespace on purpose: these files are compiled for instruction sets
// that the machine may not have, so nothing of them may be merged with code of other files. For
// the same reason no template of the standard library is used here.

#include <cstddef>
#include <cstdint>

#include "cpu/primitives.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

template <class T>
float fast_dot(const float* x, const T* row, std::size_t stride) {
  V16 sum = V16::zero();
  for (std::size_t i = 0; i < stride; i += 16) sum = fma(V16::load(x + i), V16::load(row + i), sum);
  return reduce(sum);
}

// Four rows at a time, to have enough independent sums under way.
template <class T>
void fast_dot4(const float* x, const T* const* row, std::size_t stride, float* out) {
  V16 s0 = V16::zero(), s1 = V16::zero(), s2 = V16::zero(), s3 = V16::zero();
  for (std::size_t i = 0; i < stride; i += 16) {
    const V16 v = V16::load(x + i);
    s0 = fma(v, V16::load(row[0] + i), s0);
    s1 = fma(v, V16::load(row[1] + i), s1);
    s2 = fma(v, V16::load(row[2] + i), s2);
    s3 = fma(v, V16::load(row[3] + i), s3);
  }
  reduce4(s0, s1, s2, s3, out);
}

template <class T>
void fast_dot_rows(const float* x, const void* rows, const std::int32_t* counts,
                   std::size_t row_count, std::size_t stride, float* out) {
  constexpr std::size_t kRowsAhead = 8;
  const T* base = static_cast<const T*>(rows);
  const T* group[4];
  std::size_t index[4];
  std::size_t held = 0;
  for (std::size_t r = 0; r < row_count; ++r) {
    if (counts != nullptr && counts[r] == 0) continue;
    group[held] = base + r * stride;
    index[held++] = r;
    // Rows lie one after the other, but four are read side by side, which the hardware's own
    // prefetcher takes for several short streams.
    if (sizeof(T) == 2 && r + kRowsAhead < row_count) {
      const char* ahead = reinterpret_cast<const char*>(base + (r + kRowsAhead) * stride);
      for (std::size_t line = 0; line < stride * sizeof(T); line += 64)
        __builtin_prefetch(ahead + line);
    }
    if (held == 4) {
      float sums[4];
      fast_dot4(x, group, stride, sums);
      for (std::size_t g = 0; g < 4; ++g) out[index[g]] = sums[g];
      held = 0;
    }
  }
  for (std::size_t g = 0; g < held; ++g) out[index[g]] = fast_dot(x, group[g], stride);
}

void fast_matrix_vector(const float* matrix, const float* x, std::size_t rows, std::size_t stride,
                        float* out) {
  fast_dot_rows<float>(x, matrix, nullptr, rows, stride, out);
}

// E examples against K keys, all E*K sums in registers.
template <std::size_t E, std::size_t K>
void similarity_block(const float* keys, const float* examples, std::size_t stride, std::size_t row,
                      float* out) {
  V16 sum[E][K];
  for (std::size_t e = 0; e < E; ++e) {
    for (std::size_t k = 0; k < K; ++k) sum[e][k] = V16::zero();
  }
  for (std::size_t i = 0; i < stride; i += 16) {
    V16 key[K];
    for (std::size_t k = 0; k < K; ++k) key[k] = V16::load(keys + k * stride + i);
    for (std::size_t e = 0; e < E; ++e) {
      const V16 x = V16::load(examples + e * stride + i);
      for (std::size_t k = 0; k < K; ++k) sum[e][k] = fma(key[k], x, sum[e][k]);
    }
  }
  for (std::size_t e = 0; e < E; ++e) {
    if constexpr (K == 4) {
      reduce4(sum[e][0], sum[e][1], sum[e][2], sum[e][3], out + e * row);
    } else {
      for (std::size_t k = 0; k < K; ++k) out[e * row + k] = reduce(sum[e][k]);
    }
  }
}

// Examples in blocks of kBlockExamples against a tile of keys that stays in the first-level cache.
void fast_similarities_f32(const float* keys, std::size_t n, std::size_t stride,
                           const float* examples, std::size_t batch, float* out, std::size_t row) {
  constexpr std::size_t E = kBlockExamples;
  constexpr std::size_t K = kBlockKeys;
  constexpr std::size_t kTileFloats = 6144;  // 24 KB: half of the cache, the examples need the rest
  const std::size_t tile = stride * K >= kTileFloats ? K : kTileFloats / (stride * K) * K;
  for (std::size_t start = 0; start < n; start += tile) {
    const std::size_t end = start + tile < n ? start + tile : n;
    std::size_t b = 0;
    for (; b + E <= batch; b += E) {
      std::size_t j = start;
      for (; j + K <= end; j += K) {
        similarity_block<E, K>(keys + j * stride, examples + b * stride, stride, row,
                               out + b * row + j);
      }
      for (; j < end; ++j) {
        similarity_block<E, 1>(keys + j * stride, examples + b * stride, stride, row,
                               out + b * row + j);
      }
    }
    for (; b < batch; ++b) {
      fast_dot_rows<float>(examples + b * stride, keys + start * stride, nullptr, end - start,
                           stride, out + b * row + start);
    }
  }
}

void fast_similarities_i8(const std::int8_t* keys, std::size_t n, std::size_t stride,
                          const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                          std::size_t row) {
  for (std::size_t b = 0; b < batch; ++b) {
    const std::int8_t* x = examples + b * stride;
    for (std::size_t j = 0; j < n; j += 4) {
      const std::int8_t* key[4];
      for (std::size_t k = 0; k < 4; ++k) key[k] = keys + (j + k < n ? j + k : j) * stride;
      std::int32_t sums[4];
      dot_i8_4(key, x, stride, sums);
      for (std::size_t k = 0; k < 4 && j + k < n; ++k) out[b * row + j + k] = sums[k];
    }
  }
}

void fast_sortables(const float* values, std::size_t n, std::int32_t* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = sortable(values[i]);
}

// Packs the values that reach `bound`, in index order; returns how many.
std::size_t collect(const std::int32_t* values, std::size_t n, std::int32_t bound,
                    std::uint64_t* candidates) {
  std::size_t count = 0;
  std::size_t j = 0;
  for (; j + 16 <= n; j += 16) {
    for (std::uint32_t mask = mask_at_least(values + j, bound); mask != 0; mask &= mask - 1) {
      const std::size_t hit = j + static_cast<std::size_t>(__builtin_ctz(mask));
      candidates[count++] = pack(values[hit], static_cast<std::uint32_t>(hit));
    }
  }
  for (; j < n; ++j) {
    if (values[j] >= bound) candidates[count++] = pack(values[j], static_cast<std::uint32_t>(j));
  }
  return count;
}

// A lower bound first: of 2k or more group maxima the k-th largest; k values at least reach it, and
// few more do. Then only those are compared.
void fast_top_k(const std::int32_t* values, std::size_t n, std::size_t k, std::uint64_t* candidates,
                std::uint32_t* chosen) {
  constexpr std::size_t kMostGroups = 512;
  std::int32_t bound = INT32_MIN;
  std::size_t groups = 64;
  while (groups < 2 * k) groups *= 2;
  if (groups <= kMostGroups && groups * 4 <= n) {
    std::int32_t maxima[kMostGroups];
    for (std::size_t g = 0; g < groups; ++g) maxima[g] = values[g];
    for (std::size_t j = groups; j + groups <= n; j += groups) {
      for (std::size_t g = 0; g < groups; ++g) {
        maxima[g] = values[j + g] > maxima[g] ? values[j + g] : maxima[g];
      }
    }
    bound = kth_largest(maxima, groups, k);
  }
  std::size_t count = collect(values, n, bound, candidates);
  std::uint64_t least = 0;
  if (count > k) {  // kth_largest reorders, so the list is made anew
    least = kth_largest(candidates, count, k);
    count = collect(values, n, bound, candidates);
  }
  std::size_t taken = 0;
  for (std::size_t c = 0; c < count; ++c) {
    if (candidates[c] >= least) chosen[taken++] = ~static_cast<std::uint32_t>(candidates[c]);
  }
}

// Wide: a type that holds the sum of an element and a delta.
template <class T, class Wide>
bool fast_add_row(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  constexpr Wide kLimit = sizeof(T) == 2 ? 32767 : 2147483647;
  T* element = static_cast<T*>(row);
  Wide clipped = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    const Wide sum = Wide{element[i]} + sign * delta[i];
    Wide kept = sum < -kLimit ? -kLimit : sum;
    kept = kept > kLimit ? kLimit : kept;
    clipped |= kept ^ sum;
    element[i] = static_cast<T>(kept);
  }
  return clipped != 0;
}

bool fast_add_half_row(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  Half* element = static_cast<Half*>(row);
  const V16 factor = V16::all(static_cast<float>(sign));
  bool clipped = false;
  for (std::size_t i = 0; i < stride; i += 16) {
    const V16 sum = fma(V16::load(delta + i), factor, V16::load(element + i));
    const V16 kept = clamp(sum, 2047.0F);
    clipped |= differ(sum, kept);
    store(element + i, kept);
  }
  return clipped;
}

void fast_add_scatter(std::int32_t* scatter, const std::int8_t* x, int sign, std::size_t stride) {
  std::int32_t wide[8192];
  for (std::size_t i = 0; i < stride; ++i) wide[i] = x[i];
  for (std::size_t r = 0; r < stride; ++r) {
    const std::int32_t factor = sign * wide[r];
    const std::size_t end = 16 * (r / 16 + 1);
    std::int32_t* out = scatter + r * stride;
    for (std::size_t c = 0; c < end; ++c) out[c] += factor * wide[c];
  }
}

void fast_signs(const float* x, std::size_t stride, std::int8_t* out) {
  for (std::size_t i = 0; i < stride; ++i) {
    out[i] = static_cast<std::int8_t>((x[i] > 0.0F ? 1 : 0) - (x[i] < 0.0F ? 1 : 0));
  }
}

void fast_axpy(float a, const float* x, std::size_t stride, float* y) {
  const V16 factor = V16::all(a);
  for (std::size_t i = 0; i < stride; i += 16) {
    store(y + i, fma(factor, V16::load(x + i), V16::load(y + i)));
  }
}

constexpr Primitives fast_primitives(const char* name) {
  return {name,
          fast_similarities_i8,
          fast_similarities_f32,
          fast_sortables,
          fast_top_k,
          fast_dot<float>,
          fast_matrix_vector,
          {fast_dot_rows<std::int16_t>, fast_dot_rows<Half>, fast_dot_rows<std::int32_t>},
          {fast_add_row<std::int16_t, std::int32_t>, fast_add_half_row,
           fast_add_row<std::int32_t, std::int64_t>},
          fast_add_scatter,
          fast_signs,
          fast_axpy};
}

}  // namespace
}  // namespace jackdaw
