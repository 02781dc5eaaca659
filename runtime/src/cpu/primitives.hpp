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

#include "core/door.hpp"
#include "core/store_view.hpp"
#include "jackdaw/settings.hpp"

namespace jackdaw {

// An example of profile seed in fixed point (core/fixed_point.hpp), cut into bytes:
//   fixed_point(x[i]) = multiplier*high[i] + low[0][i] + 256*low[1][i] + 65536*low[2][i]
struct SplitExample {
  std::int8_t* high = nullptr;  // [stride]
  std::int8_t* low = nullptr;   // [kLowParts][stride]
  std::int32_t multiplier = 1;
  float rest = 0.0F;  // length of what the low parts stand for, in fixed-point steps
};
constexpr std::size_t kLowParts = 3;

// Room for keys packed by any table; packed by 64.
constexpr std::size_t packed_key_bytes(std::size_t count, std::size_t stride) noexcept {
  return (count + 63) / 64 * 64 * stride;
}

constexpr std::size_t kMostPairs = kWaitingLessons / 2;  // of examples in one add_scatter

struct Primitives {
  const char* name;
  NormaliseLoops normalise;

  // out[b*row + j] = keys[j] . examples[b], for `count` keys that pack_keys() has put into this
  // table's own order, in as many bytes as packed_key_bytes() says. Whole numbers: exact in any
  // order.
  void (*similarities)(const std::int8_t* packed, std::size_t count, std::size_t stride,
                       const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                       std::size_t row);
  void (*pack_keys)(const std::int8_t* keys, std::size_t count, std::size_t stride,
                    std::int8_t* packed);
  // out[part*row + c] = keys[indices[c]] . low[part], for the first `parts` parts
  void (*low_similarities)(const std::int8_t* keys, const std::uint32_t* indices, std::size_t count,
                           std::size_t stride, const std::int8_t* low, std::size_t parts,
                           std::int32_t* out, std::size_t row);
  // Fills high and low, sets multiplier and rest.
  void (*split)(const float* x, std::size_t stride, SplitExample& example);

  // A number that at least k of the n values reach. The plain table has the least of them, which
  // all reach: nothing is ruled out there. The fast ones find one that few more than k reach.
  std::int32_t (*reached_by)(const std::int32_t* values, std::size_t n, std::size_t k);
  // The indices of the values that reach `bound`, ascending; returns how many.
  std::size_t (*collect)(const std::int32_t* values, std::size_t n, std::int32_t bound,
                         std::uint32_t* indices);
  // The k largest of n values, ties to the lower index, listed in ascending index order.
  void (*top_k)(const std::int32_t* values, std::size_t n, std::size_t k, std::uint32_t* chosen);

  float (*dot)(const float* a, const float* b, std::size_t stride);
  // out[r] = matrix[r] . x for a symmetric matrix of stride x stride. lanes: scratch of
  // lane_floats(stride).
  void (*symmetric_vector)(const float* matrix, const float* x, std::size_t stride, float* lanes,
                           float* out);
  // out[i*pitch + r] = rows[r] . x[i] for several x, one after the other; faster than one by one,
  // because what is read of the rows serves several x.
  void (*products)(const float* rows, std::size_t row_count, const float* x, std::size_t count,
                   std::size_t stride, float* out, std::size_t pitch);
  // Stored elements as floats; size: a multiple of 16. Indexed by StoreType.
  void (*unpack[3])(const void* elements, std::size_t size, float* out);
  // out[r] = rows[r] . x for rows with counts[r] != 0, other entries are left alone; counts may be
  // null: then all. Indexed by StoreType.
  void (*dot_rows[3])(const float* x, const void* rows, const std::int32_t* counts,
                      std::size_t row_count, std::size_t stride, float* out);

  // row[i] = clamp(row[i] + sign*delta[i]) at +-element_limit; true if the clamp took effect.
  bool (*add_row[3])(void* row, const std::int8_t* delta, int sign, std::size_t stride);
  // scatter[r][c] += signs[e]*x_e[r]*x_e[c] for c < 16*(r/16+1) and 2*pairs examples, two side by
  // side: pairs_of_x[p][2*i] is element i of example 2*p, [2*i + 1] that of example 2*p + 1.
  void (*add_scatter)(std::int32_t* scatter, const std::int16_t* pairs_of_x, const int* signs,
                      std::size_t pairs, std::size_t stride);

  // out[i] = 1, -1 or 0, as x[i] is above, below or equal to 0
  void (*signs)(const float* x, std::size_t stride, std::int8_t* out);
  // y[i] = fma(a, x[i], y[i])
  void (*axpy)(float a, const float* x, std::size_t stride, float* y);

  // Of any size. The caller knows that no partial sum leaves 32 bits, in whatever order.
  std::int32_t (*dot_int16)(const std::int16_t* a, const std::int16_t* b, std::size_t size);
};

extern const Primitives kPlainPrimitives;

// The fastest table this machine can run.
const Primitives& best_primitives() noexcept;

// All tables this machine can run, the plain one first: for tests and benchmarks.
std::vector<const Primitives*> runnable_primitives();

// These are static, so that no copy of them that was compiled for a newer instruction set can
// become the one that all files use.

// A whole number that sorts as the float does; -0 and +0 are one.
static inline std::int32_t sortable(float value) noexcept {
  const float plain = value + 0.0F;
  std::int32_t bits = 0;
  __builtin_memcpy(&bits, &plain, sizeof(bits));
  return bits ^ ((bits >> 31) & 0x7FFFFFFF);
}

// The float of a sortable number.
static inline float from_sortable(std::int32_t number) noexcept {
  const std::int32_t bits = number ^ ((number >> 31) & 0x7FFFFFFF);
  float value = 0.0F;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace jackdaw
