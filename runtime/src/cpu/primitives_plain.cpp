// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The specification: what every other table must agree with, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/fixed_point.hpp"
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

std::int32_t dot_of_bytes(const std::int8_t* a, const std::int8_t* b, std::size_t stride) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < stride; ++i) sum += a[i] * b[i];
  return sum;
}

void similarities(const std::int8_t* keys, std::size_t n, std::size_t stride,
                  const std::int8_t* examples, std::size_t batch, std::int32_t* out,
                  std::size_t row) {
  for (std::size_t b = 0; b < batch; ++b) {
    for (std::size_t j = 0; j < n; ++j) {
      out[b * row + j] = dot_of_bytes(keys + j * stride, examples + b * stride, stride);
    }
  }
}

void pack_keys(const std::int8_t* keys, std::size_t n, std::size_t stride, std::int8_t* packed) {
  std::copy_n(keys, n * stride, packed);
}

void low_similarities(const std::int8_t* keys, const std::uint32_t* indices, std::size_t count,
                      std::size_t stride, const std::int8_t* low, std::size_t parts,
                      std::int32_t* out, std::size_t row) {
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t c = 0; c < count; ++c) {
      out[part * row + c] = dot_of_bytes(keys + indices[c] * stride, low + part * stride, stride);
    }
  }
}

void split(const float* x, std::size_t stride, SplitExample& example) {
  std::int32_t most = 0;
  for (std::size_t i = 0; i < stride; ++i) most = std::max(most, std::abs(fixed_point(x[i])));
  example.multiplier = std::max(1, (most + 126) / 127);
  double square = 0.0;
  for (std::size_t i = 0; i < stride; ++i) {
    const std::int32_t whole = fixed_point(x[i]);
    const auto high = static_cast<std::int8_t>(
        std::lround(static_cast<double>(whole) / static_cast<double>(example.multiplier)));
    std::int32_t rest = whole - high * example.multiplier;
    square += static_cast<double>(rest) * static_cast<double>(rest);
    example.high[i] = high;
    for (std::size_t part = 0; part < kLowParts; ++part) {
      const auto low = static_cast<std::int8_t>(rest);
      example.low[part * stride + i] = low;
      rest = (rest - low) / 256;
    }
  }
  example.rest = static_cast<float>(std::sqrt(square));
}

void top_k(const std::int32_t* values, std::size_t n, std::size_t k, std::uint32_t* chosen) {
  std::size_t held = 0;  // the best so far, best first
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t place = held;
    while (place > 0 && values[j] > values[chosen[place - 1]]) --place;
    if (place == k) continue;
    held = std::min(held + 1, k);
    for (std::size_t r = held - 1; r > place; --r) chosen[r] = chosen[r - 1];
    chosen[place] = static_cast<std::uint32_t>(j);
  }
  std::sort(chosen, chosen + k);
}

std::int32_t reached_by(const std::int32_t* values, std::size_t n, std::size_t /*k*/) {
  return *std::min_element(values, values + n);
}

std::size_t collect(const std::int32_t* values, std::size_t n, std::int32_t bound,
                    std::uint32_t* indices) {
  std::size_t count = 0;
  for (std::size_t j = 0; j < n; ++j) {
    if (values[j] >= bound) indices[count++] = static_cast<std::uint32_t>(j);
  }
  return count;
}

void symmetric_vector(const float* matrix, const float* x, std::size_t stride, float* /*lanes*/,
                      float* out) {
  for (std::size_t r = 0; r < stride; ++r) out[r] = lane_dot(matrix + r * stride, x, stride);
}

void products(const float* rows, std::size_t row_count, const float* x, std::size_t count,
              std::size_t stride, float* out, std::size_t pitch) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < row_count; ++r) {
      out[i * pitch + r] = lane_dot(rows + r * stride, x + i * stride, stride);
    }
  }
}

template <class T>
void unpack(const void* elements, std::size_t size, float* out) {
  const T* from = static_cast<const T*>(elements);
  for (std::size_t i = 0; i < size; ++i) {
    if constexpr (std::is_same_v<T, Half>) {
      out[i] = to_float(from[i]);
    } else {
      out[i] = static_cast<float>(from[i]);
    }
  }
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

void add_scatter(std::int32_t* scatter, const std::int16_t* pairs_of_x, const int* signs,
                 std::size_t pairs, std::size_t stride) {
  for (std::size_t e = 0; e < 2 * pairs; ++e) {
    const std::int16_t* x = pairs_of_x + e / 2 * 2 * stride + e % 2;
    for (std::size_t r = 0; r < stride; ++r) {
      const std::size_t end = 16 * (r / 16 + 1);
      for (std::size_t c = 0; c < end; ++c) {
        scatter[r * stride + c] += signs[e] * x[2 * r] * x[2 * c];
      }
    }
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

std::int32_t dot_int16(const std::int16_t* a, const std::int16_t* b, std::size_t size) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
  return sum;
}

}  // namespace

const Primitives kPlainPrimitives = {
    "plain",
    {},
    similarities,
    pack_keys,
    low_similarities,
    split,
    reached_by,
    collect,
    top_k,
    lane_dot<float, float>,
    symmetric_vector,
    products,
    {unpack<std::int16_t>, unpack<Half>, unpack<std::int32_t>},
    {dot_rows<std::int16_t>, dot_rows<Half>, dot_rows<std::int32_t>},
    {add_row<std::int16_t>, add_row<Half>, add_row<std::int32_t>},
    add_scatter,
    signs,
    axpy,
    dot_int16,
};

}  // namespace jackdaw
