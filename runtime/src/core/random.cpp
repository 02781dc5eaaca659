// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/random.hpp"

#include <cmath>

namespace jackdaw {
namespace {

// log(x) for x > 0: x = m * 2^e with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m-1)/(m+1)).
// Only +, -, *, / on doubles, so the same bits everywhere (the project is built without
// contraction). Twelve terms leave less than 1e-16, since |(m-1)/(m+1)| < 0.172.
double portable_log(double x) noexcept {
  constexpr double kLog2 = 0.693147180559945309417232121458;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752440) {
    m *= 2.0;
    --exponent;
  }
  const double t = (m - 1.0) / (m + 1.0);
  const double square = t * t;
  double sum = 0.0;
  for (int term = 23; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return 2.0 * t * sum + kLog2 * exponent;
}

}  // namespace

std::uint64_t Random::bits() noexcept {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

double Random::uniform() noexcept { return (static_cast<double>(bits() >> 12U) + 0.5) * 0x1p-52; }

double Random::normal() noexcept {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double a = 0.0;
  double b = 0.0;
  double square = 0.0;
  do {
    a = 2.0 * uniform() - 1.0;
    b = 2.0 * uniform() - 1.0;
    square = a * a + b * b;
  } while (square >= 1.0 || square == 0.0);
  const double scale = std::sqrt(-2.0 * portable_log(square) / square);
  spare_ = b * scale;
  has_spare_ = true;
  return a * scale;
}

double Random::truncated_normal() noexcept {
  double value = normal();
  while (value < -2.0 || value > 2.0) value = normal();
  return value;
}

std::uint64_t Random::below(std::uint64_t bound) noexcept {
  const std::uint64_t unbiased = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t draw = bits();
  while (draw >= unbiased) draw = bits();
  return draw % bound;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  Random random(a ^ (b * 0xD1B54A32D192ED03ULL));
  return random.bits() ^ b;
}

}  // namespace jackdaw
