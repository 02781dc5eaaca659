// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// tanh with the same bits on every machine and on a GPU: host compilers and nvcc both include this.
//
//   float v = tau * tanh32(argument / tau);
//
// Odd, monotone (checked on every float), within [-1, 1]; |x| < 2^-12 gives x; NaN gives NaN. The
// error is below 0.51 ulp (53 million floats between 2^-12 and 10 compared with a long double
// tanh).
//
// Only IEEE + - * / in double, so no libm and nothing to contract: compile with -ffp-contract=off
// (g++, clang++) or -fmad=false (nvcc). Double has 29 bits more than the result needs, so neither
// the polynomial's error nor its steps where n changes can reach the answer.

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define JACKDAW_HOST_DEVICE __host__ __device__
#else
#define JACKDAW_HOST_DEVICE
#endif

namespace jackdaw {

// y in [0, 20.5]: exp(y) - 1 to about 1e-15 of exp(y).
JACKDAW_HOST_DEVICE inline double expm1_of_positive(double y) {
  constexpr double kLog2E = 1.44269504088896338700e+00;
  constexpr double kLn2High = 6.93147180369123816490e-01;  // 21 low bits zero: n*kLn2High is exact
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  const int n = static_cast<int>(y * kLog2E + 0.5);
  const double r = (y - n * kLn2High) - n * kLn2Low;  // |r| <= ln(2)/2
  // Taylor: the first term left out, r^14/14!, is below 5e-18.
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r;
  const std::uint64_t bits = static_cast<std::uint64_t>(1023 + n) << 52U;
  double power = 0.0;  // 2^n
  std::memcpy(&power, &bits, sizeof power);
  return power * p + (power - 1.0);
}

JACKDAW_HOST_DEVICE inline float tanh32(float x) {
  const float magnitude = x < 0.0F ? -x : x;
  if (!(magnitude >= 0x1p-12F)) return x;  // also -0 and NaN
  if (magnitude >= 10.0F) return x < 0.0F ? -1.0F : 1.0F;
  const double e = expm1_of_positive(2.0 * static_cast<double>(magnitude));
  const float result = static_cast<float>(e / (e + 2.0));
  return x < 0.0F ? -result : result;
}

}  // namespace jackdaw
