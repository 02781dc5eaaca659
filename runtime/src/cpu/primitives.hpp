// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The inner loops of the CPU backend, as a table of functions: one plain version that is the
// specification, and fast ones for the instruction sets of the machine. All of them give the same
// bits: whole-number sums are exact in any order, and float sums follow one order, lane_dot's:
//
//   16 accumulators; lane l takes acc = fma(a[i], b[i], acc) for i = l, l+16, l+32, ...;
//   then lanes are added in a tree: l += l+8, l += l+4, l += l+2, l += l+1.
//
// `stride` is a multiple of 32 and arrays are zero-padded to it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jackdaw/settings.hpp"

namespace jackdaw {

struct Primitives {
  const char* name;

  // out[b*row + j] = keys[j] . examples[b], for `count` keys
  void (*similarities_i8)(const std::int8_t* keys, std::size_t count, std::size_t stride,
                          const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                          std::size_t row);
  void (*similarities_f32)(const float* keys, std::size_t count, std::size_t stride,
                           const float* examples, std::size_t batch, float* out, std::size_t row);

  // out[i] = sortable(values[i])
  void (*sortables)(const float* values, std::size_t n, std::int32_t* out);
  // The k largest of n values, ties to the lower index, listed in ascending index order.
  // candidates: scratch of n.
  void (*top_k)(const std::int32_t* values, std::size_t n, std::size_t k, std::uint64_t* candidates,
                std::uint32_t* chosen);

  float (*dot)(const float* a, const float* b, std::size_t stride);
  // out[r] = matrix[r] . x
  void (*matrix_vector)(const float* matrix, const float* x, std::size_t rows, std::size_t stride,
                        float* out);
  // out[r] = rows[r] . x for rows with counts[r] != 0, other entries are left alone; counts may be
  // null: then all. Indexed by StoreType.
  void (*dot_rows[3])(const float* x, const void* rows, const std::int32_t* counts,
                      std::size_t row_count, std::size_t stride, float* out);

  // row[i] = clamp(row[i] + sign*delta[i]) at +-element_limit; true if the clamp took effect.
  bool (*add_row[3])(void* row, const std::int8_t* delta, int sign, std::size_t stride);
  // scatter[r][c] += sign*x[r]*x[c] for c < 16*(r/16+1)
  void (*add_scatter)(std::int32_t* scatter, const std::int8_t* x, int sign, std::size_t stride);

  // out[i] = 1, -1 or 0, as x[i] is above, below or equal to 0
  void (*signs)(const float* x, std::size_t stride, std::int8_t* out);
  // y[i] = fma(a, x[i], y[i])
  void (*axpy)(float a, const float* x, std::size_t stride, float* y);
};

extern const Primitives kPlainPrimitives;

// The fastest table this machine can run.
const Primitives& best_primitives() noexcept;

// All tables this machine can run, the plain one first: for tests and benchmarks.
std::vector<const Primitives*> runnable_primitives();

// The k-th largest of the values (k from 1); reorders them.
std::uint64_t kth_largest(std::uint64_t* values, std::size_t count, std::size_t k) noexcept;
std::int32_t kth_largest(std::int32_t* values, std::size_t count, std::size_t k) noexcept;

// These two are static, so that no copy of them that was compiled for a newer instruction set can
// become the one that all files use.

// Larger packed values win: the higher value, then the lower index.
static inline std::uint64_t pack(std::int32_t value, std::uint32_t index) noexcept {
  return (std::uint64_t{static_cast<std::uint32_t>(value) ^ 0x80000000U} << 32U) | ~index;
}

// A whole number that sorts as the float does; -0 and +0 are one.
static inline std::int32_t sortable(float value) noexcept {
  const float plain = value + 0.0F;
  std::int32_t bits = 0;
  __builtin_memcpy(&bits, &plain, sizeof(bits));
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

}  // namespace jackdaw
