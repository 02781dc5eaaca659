// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// IEEE 754 binary16, kept as its 16 bits: a type to store numbers in, not to compute with.
//
//   Half h = to_half(0.1F);                 // round to nearest, ties to even
//   float f = to_float(h);                  // always exact
//   Status s = to_half(floats, halves);     // whole spans: F16C or NEON where the CPU has it
//
// The same bits come out on every machine, one at a time or in bulk, whatever rounding mode or
// flush-to-zero setting the thread runs with:
//   - subnormal halves are kept, never flushed to zero;
//   - from 65,520 on (half a step above the largest half, 65,504) the result is infinity;
//   - a NaN stays a NaN: the sign and the ten topmost payload bits are kept and the quiet bit is
//     set, in both directions. So every pattern but the 1,022 signalling NaNs survives a round
//     trip bit for bit; those come back quiet.
//
// This header is plain C++17 with integer arithmetic only, so nvcc takes it as host code as well.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw {

// Compare .bits, or convert: there is no operator==, because 0 == -0 and NaN != NaN would make it
// differ from comparing stored bits.
struct Half {
  std::uint16_t bits;
};

static_assert(sizeof(Half) == 2 && std::is_trivial_v<Half> && std::is_standard_layout_v<Half>);

inline Half to_half(float value) noexcept {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;

  std::uint32_t half = 0;
  if (magnitude > 0x7F800000U) {  // NaN
    half = 0x7E00U | ((magnitude >> 13) & 0x03FFU);
  } else if (magnitude >= 0x477FF000U) {  // 65,520: nearer to 65,536 than to 65,504, or a tie
    half = 0x7C00U;
  } else if (magnitude >= 0x38800000U) {                     // 2^-14, the smallest normal half
    const std::uint32_t rebased = magnitude - (112U << 23);  // exponent bias 127 -> 15
    const std::uint32_t odd = (rebased >> 13) & 1U;
    half = (rebased + 0x0FFFU + odd) >> 13;  // a carry moves into the exponent, as it should
  } else if (magnitude > 0x33000000U) {      // above 2^-25, half of the smallest subnormal half
    const std::uint32_t shift = 126U - (magnitude >> 23);  // 14 to 24: to units of 2^-24
    const std::uint32_t fraction = (magnitude & 0x007FFFFFU) | 0x00800000U;
    const std::uint32_t rest = fraction & ((1U << shift) - 1U);
    const std::uint32_t tie = 1U << (shift - 1U);
    half = fraction >> shift;
    if (rest > tie || (rest == tie && (half & 1U) != 0U)) ++half;
  }
  return Half{static_cast<std::uint16_t>(sign | half)};
}

inline float to_float(Half value) noexcept {
  const std::uint32_t sign = (value.bits & 0x8000U) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1FU;
  const std::uint32_t fraction = value.bits & 0x03FFU;

  std::uint32_t bits = 0;
  if (exponent == 0x1FU) {  // infinity or NaN
    bits = 0x7F800000U | (fraction << 13) | (fraction != 0U ? 0x00400000U : 0U);
  } else if (exponent != 0U) {
    bits = ((exponent + 112U) << 23) | (fraction << 13);
  } else if (fraction != 0U) {  // subnormal, a multiple of 2^-24: normal as a float
    std::uint32_t scaled = fraction;
    std::uint32_t float_exponent = 113U;
    for (; (scaled & 0x0400U) == 0U; scaled <<= 1) --float_exponent;
    bits = (float_exponent << 23) | ((scaled & 0x03FFU) << 13);
  }
  bits |= sign;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result;
}

// Bulk conversions, for any number of elements; the spans must not overlap. kWrongSize if they are
// not of the same size: nothing is written then. They do not allocate.
Status to_half(Span<const float> from, Span<Half> to) noexcept;
Status to_float(Span<const Half> from, Span<float> to) noexcept;

// What the bulk conversions run on this machine: "f16c", "neon" or "portable".
const char* half_conversion() noexcept;

}  // namespace jackdaw
