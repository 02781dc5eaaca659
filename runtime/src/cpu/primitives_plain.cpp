// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The specification: what every other table must agree with, bit for bit.
#include <algorithm>
#include <cmath>

#include "cpu/primitives.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

float as_float(float value) { return value; }
float as_float(std::int16_t value) { return static_cast<float>(value); }
float as_float(std::int32_t value) { return static_cast<float>(value); }
float as_float(Half value) { return to_float(value); }

template <class A, class B>
float lane_dot(const A* a, const B* b, std::size_t stride) {
  float lanes[16] = {};
  for (std::size_t i = 0; i < stride; ++i) {
    lanes[i % 16] = std::fma(as_float(a[i]), as_float(b[i]), lanes[i % 16]);
  }
  for (std::size_t half = 8; half >= 1; half /= 2) {
    for (std::size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  }
  return lanes[0];
}

void similarities_i8(const std::int8_t* keys, std::size_t n, std::size_t stride,
                     const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                     std::size_t row) {
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t j = 0; j < n; ++j) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < stride; ++i)
        sum += keys[j * stride + i] * examples[b * stride + i];
      out[b * row + j] = sum;
    }
  }
}

void similarities_f32(const float* keys, std::size_t n, std::size_t stride, const float* examples,
                      std::size_t batch, float* out, std::size_t row) {
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t j = 0; j < n; ++j) {
      out[b * row + j] = lane_dot(keys + j * stride, examples + b * stride, stride);
    }
  }
}

void sortables(const float* values, std::size_t n, std::int32_t* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = sortable(values[i]);
}

void top_k(const std::int32_t* values, std::size_t n, std::size_t k, std::uint64_t* candidates,
           std::uint32_t* chosen) {
  for (std::size_t j = 0; j < n; ++j)
    candidates[j] = pack(values[j], static_cast<std::uint32_t>(j));
  std::sort(candidates, candidates + n, std::greater<>());
  for (std::size_t r = 0; r < k; ++r) chosen[r] = ~static_cast<std::uint32_t>(candidates[r]);
  std::sort(chosen, chosen + k);
}

void matrix_vector(const float* matrix, const float* x, std::size_t rows, std::size_t stride,
                   float* out) {
  for (std::size_t r = 0; r < rows; ++r) out[r] = lane_dot(matrix + r * stride, x, stride);
}

template <class T>
void dot_rows(const float* x, const void* rows, const std::int32_t* counts, std::size_t row_count,
              std::size_t stride, float* out) {
  for (std::size_t r = 0; r < row_count; ++r) {
    if (counts != nullptr && counts[r] == 0) continue;
    out[r] = lane_dot(x, static_cast<const T*>(rows) + r * stride, stride);
  }
}

template <class T>
bool add_row(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  constexpr std::int64_t kLimit = sizeof(T) == 2 ? 32767 : 2147483647;
  T* element = static_cast<T*>(row);
  bool clipped = false;
  for (std::size_t i = 0; i < stride; ++i) {
    const std::int64_t sum = std::int64_t{element[i]} + sign * delta[i];
    element[i] = static_cast<T>(std::clamp(sum, -kLimit, kLimit));
    clipped |= element[i] != sum;
  }
  return clipped;
}

template <>
bool add_row<Half>(void* row, const std::int8_t* delta, int sign, std::size_t stride) {
  constexpr float kLimit = 2047.0F;
  Half* element = static_cast<Half*>(row);
  bool clipped = false;
  for (std::size_t i = 0; i < stride; ++i) {
    const float sum = to_float(element[i]) + static_cast<float>(sign * delta[i]);
    const float kept = std::clamp(sum, -kLimit, kLimit);
    element[i] = to_half(kept);
    clipped |= kept != sum;
  }
  return clipped;
}

void add_scatter(std::int32_t* scatter, const std::int8_t* x, int sign, std::size_t stride) {
  for (std::size_t r = 0; r < stride; ++r) {
    const std::size_t end = 16 * (r / 16 + 1);
    for (std::size_t c = 0; c < end; ++c) scatter[r * stride + c] += sign * x[r] * x[c];
  }
}

void signs(const float* x, std::size_t stride, std::int8_t* out) {
  for (std::size_t i = 0; i < stride; ++i) {
    out[i] = static_cast<std::int8_t>((x[i] > 0.0F ? 1 : 0) - (x[i] < 0.0F ? 1 : 0));
  }
}

void axpy(float a, const float* x, std::size_t stride, float* y) {
  for (std::size_t i = 0; i < stride; ++i) y[i] = std::fma(a, x[i], y[i]);
}

}  // namespace

const Primitives kPlainPrimitives = {
    "plain",
    similarities_i8,
    similarities_f32,
    sortables,
    top_k,
    lane_dot<float, float>,
    matrix_vector,
    {dot_rows<std::int16_t>, dot_rows<Half>, dot_rows<std::int32_t>},
    {add_row<std::int16_t>, add_row<Half>, add_row<std::int32_t>},
    add_scatter,
    signs,
    axpy,
};

}  // namespace jackdaw
