// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fast loops, written once over a vector of 16 floats. Each instruction set defines `V16` and
// dot_bytes in a file of its own, includes this, and fills its table with fast_primitives().
//
// Everything is in an unnamed namespace on purpose: these files are compiled for instruction sets
// that the machine may not have, so nothing of them may be merged with code of other files. For
// the same reason no template of the standard library is used here.

#include <cstddef>
#include <cstdint>

#include "core/store_view.hpp"
#include "cpu/key_loops_fast.hpp"
#include "cpu/primitives.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

double fast_square(const float* z, std::size_t size) noexcept { return square_of(z, size); }

void fast_scale(const float* __restrict z, std::size_t size, double factor,
                float* __restrict out) noexcept {
  scale_all(z, size, factor, out);
}

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

// Only what lies on and below the diagonal's blocks of 16 is read: half of the bytes. An element
// P[r][c] left of its block serves twice, for row r and, as P[c][r], for row c. Sums keep
// lane_dot's order: lane l of row t takes its columns c = l, l+16, ... from left to right. Those up
// to t's own block come first, in registers, while t's row is read; the others come as later rows
// are read. lanes[l*pitch + t] is lane l of row t, so both are vector operations. In tiles of
// columns, so that the lanes in use stay in the first-level cache; `unfinished` holds the sums of
// rows whose block lies in a later tile.
void fast_symmetric_vector(const float* matrix, const float* x, std::size_t stride, float* lanes,
                           float* out) {
  constexpr std::size_t kRows = 4;    // at a time
  constexpr std::size_t kTile = 256;  // columns
  const std::size_t pitch = stride + kLanePadding;
  float* unfinished = lanes + 16 * pitch;
  for (std::size_t start = 0; start < stride; start += kTile) {
    const std::size_t tile_end = start + kTile;
    for (std::size_t r = start; r < stride; r += kRows) {
      const std::size_t block = r / 16 * 16;
      const std::size_t end = block < tile_end ? block : tile_end;
      const float* row[kRows];
      float* lane[kRows];
      V16 factor[kRows], own[kRows];
      for (std::size_t k = 0; k < kRows; ++k) {
        row[k] = matrix + (r + k) * stride;
        lane[k] = lanes + (r + k) % 16 * pitch;
        factor[k] = V16::all(x[r + k]);
        own[k] = start == 0 ? V16::zero() : V16::load(unfinished + 16 * (r + k));
      }
      for (std::size_t c = start; c < end; c += 16) {
        const V16 v = V16::load(x + c);
        for (std::size_t k = 0; k < kRows; ++k) {
          const V16 p = V16::load(row[k] + c);
          own[k] = fma(p, v, own[k]);
          store(lane[k] + c, fma(p, factor[k], V16::load(lane[k] + c)));
        }
      }
      if (block >= tile_end) {
        for (std::size_t k = 0; k < kRows; ++k) store(unfinished + 16 * (r + k), own[k]);
        continue;
      }
      const V16 v = V16::load(x + block);
      float sums[kRows][16];
      for (std::size_t k = 0; k < kRows; ++k) {
        store(sums[k], fma(V16::load(row[k] + block), v, own[k]));
      }
      for (std::size_t l = 0; l < 16; ++l) {
        const float four[kRows] = {sums[0][l], sums[1][l], sums[2][l], sums[3][l]};
        __builtin_memcpy(lanes + l * pitch + r, four, sizeof four);
      }
    }
  }
  for (std::size_t t = 0; t < stride; t += 16) {
    V16 sum[16];
    for (std::size_t l = 0; l < 16; ++l) sum[l] = V16::load(lanes + l * pitch + t);
    for (std::size_t half = 8; half >= 1; half /= 2) {
      for (std::size_t l = 0; l < half; ++l) sum[l] = add(sum[l], sum[l + half]);
    }
    store(out + t, sum[0]);
  }
}

// Some rows against some vectors: as many sums under way as there are registers for.
template <std::size_t Rows, std::size_t Vectors>
void rows_by_vectors(const float* rows, const float* x, std::size_t stride, float* out,
                     std::size_t pitch) {
  V16 sum[Vectors][Rows];
  for (std::size_t i = 0; i < Vectors; ++i) {
    for (std::size_t r = 0; r < Rows; ++r) sum[i][r] = V16::zero();
  }
  for (std::size_t c = 0; c < stride; c += 16) {
    V16 row[Rows];
    for (std::size_t r = 0; r < Rows; ++r) row[r] = V16::load(rows + r * stride + c);
    for (std::size_t i = 0; i < Vectors; ++i) {
      const V16 v = V16::load(x + i * stride + c);
      for (std::size_t r = 0; r < Rows; ++r) sum[i][r] = fma(row[r], v, sum[i][r]);
    }
  }
  for (std::size_t i = 0; i < Vectors; ++i) {
    if constexpr (Rows == 4) {
      reduce4(sum[i][0], sum[i][1], sum[i][2], sum[i][3], out + i * pitch);
    } else {
      for (std::size_t r = 0; r < Rows; ++r) out[i * pitch + r] = reduce(sum[i][r]);
    }
  }
}

#ifdef __AVX512F__
constexpr std::size_t kRowsAtOnce = 4, kVectorsAtOnce = 4;
#else
constexpr std::size_t kRowsAtOnce = 2, kVectorsAtOnce = 2;
#endif

template <std::size_t Rows>
void rows_by_all(const float* rows, const float* x, std::size_t count, std::size_t stride,
                 float* out, std::size_t pitch) {
  std::size_t i = 0;
  for (; i + kVectorsAtOnce <= count; i += kVectorsAtOnce) {
    rows_by_vectors<Rows, kVectorsAtOnce>(rows, x + i * stride, stride, out + i * pitch, pitch);
  }
  for (; i < count; ++i) {
    rows_by_vectors<Rows, 1>(rows, x + i * stride, stride, out + i * pitch, pitch);
  }
}

void fast_products(const float* rows, std::size_t row_count, const float* x, std::size_t count,
                   std::size_t stride, float* out, std::size_t pitch) {
  std::size_t r = 0;
  for (; r + kRowsAtOnce <= row_count; r += kRowsAtOnce) {
    rows_by_all<kRowsAtOnce>(rows + r * stride, x, count, stride, out + r, pitch);
  }
  for (; r < row_count; ++r) rows_by_all<1>(rows + r * stride, x, count, stride, out + r, pitch);
}

template <class T>
void fast_unpack(const void* elements, std::size_t size, float* out) {
  const T* from = static_cast<const T*>(elements);
  for (std::size_t i = 0; i < size; i += 16) store(out + i, V16::load(from + i));
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

// In 16 bits that wrap, watching for it. Where one did, and that is rare, everything is taken back,
// which wraps to where it was, and done with clamps.
bool fast_add_int16_row(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  auto* element = static_cast<std::uint16_t*>(row);
  const auto factor = static_cast<std::uint16_t>(sign);
  std::uint16_t wrapped = 0;
  for (std::size_t i = 0; i < stride; ++i) {
    const auto step = static_cast<std::uint16_t>(factor * static_cast<std::uint16_t>(delta[i]));
    const auto sum = static_cast<std::uint16_t>(element[i] + step);
    // The sign bit of `past` is set where the sum left the range, or is -32768, which is not in it.
    const auto past = static_cast<std::uint16_t>((element[i] ^ sum) & (step ^ sum));
    wrapped = static_cast<std::uint16_t>(wrapped | past | (sum == 0x8000U ? 0x8000U : 0U));
    element[i] = sum;
  }
  if ((wrapped & 0x8000U) == 0) return false;
  for (std::size_t i = 0; i < stride; ++i) {
    const auto step = static_cast<std::uint16_t>(factor * static_cast<std::uint16_t>(delta[i]));
    element[i] = static_cast<std::uint16_t>(element[i] - step);
  }
  return fast_add_row<std::int16_t, std::int32_t>(row, delta, sign, stride);
}

// Sums are at most 2047 + 127, and what is above 2047 is clamped in a second pass, which is rare.
bool fast_add_half_row(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  Half* element = static_cast<Half*>(row);
  const V16 factor = V16::all(static_cast<float>(sign));
  V16 largest = V16::zero();
  for (std::size_t i = 0; i < stride; i += 16) {
    const V16 sum = fma(V16::load(delta + i), factor, V16::load(element + i));
    largest = larger_size(largest, sum);
    store(element + i, sum);
  }
  if (!differ(largest, clamp(largest, 2047.0F))) return false;
  for (std::size_t i = 0; i < stride; i += 16) {
    store(element + i, clamp(V16::load(element + i), 2047.0F));
  }
  return true;
}

template <std::size_t Pairs>
void add_pairs(std::int32_t* scatter, const std::int16_t* pairs_of_x, const int* signs,
               std::size_t stride) {
  for (std::size_t r = 0; r < stride; ++r) {
    std::int16_t factors[2 * Pairs];
    for (std::size_t e = 0; e < 2 * Pairs; ++e) {
      const std::int16_t x = pairs_of_x[e / 2 * 2 * stride + 2 * r + e % 2];
      factors[e] = static_cast<std::int16_t>(signs[e] * x);
    }
    add_products<Pairs>(scatter + r * stride, 16 * (r / 16 + 1), pairs_of_x, 2 * stride, factors);
  }
}

void fast_add_scatter(std::int32_t* scatter, const std::int16_t* pairs_of_x, const int* signs,
                      std::size_t pairs, std::size_t stride) {
  if (pairs == kMostPairs) {
    add_pairs<kMostPairs>(scatter, pairs_of_x, signs, stride);
    return;
  }
  for (std::size_t p = 0; p < pairs; ++p) {
    add_pairs<1>(scatter, pairs_of_x + p * 2 * stride, signs + 2 * p, stride);
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

std::int32_t fast_dot_int16(const std::int16_t* a, const std::int16_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
  return sum;
}

constexpr Primitives fast_primitives(const char* name,
                                     decltype(Primitives::similarities) similarities,
                                     decltype(Primitives::pack_keys) pack_keys,
                                     decltype(Primitives::split) split) {
  return {name,
          {fast_square, fast_scale},
          similarities,
          pack_keys,
          fast_low_similarities,
          split,
          fast_reached_by,
          fast_collect,
          fast_top_k,
          fast_dot<float>,
          fast_symmetric_vector,
          fast_products,
          {fast_unpack<std::int16_t>, fast_unpack<Half>, fast_unpack<std::int32_t>},
          {fast_dot_rows<std::int16_t>, fast_dot_rows<Half>, fast_dot_rows<std::int32_t>},
          {fast_add_int16_row, fast_add_half_row, fast_add_row<std::int32_t, std::int64_t>},
          fast_add_scatter,
          fast_signs,
          fast_axpy,
          fast_dot_int16};
}

}  // namespace
}  // namespace jackdaw
