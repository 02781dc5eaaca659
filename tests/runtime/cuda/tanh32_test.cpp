// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/tanh32.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>

namespace jackdaw {
namespace {

float float_of(std::uint32_t bits) {
  float value = 0.0F;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// In units of the last place of the exact result.
double error_of(float x) {
  const long double exact = std::tanh(static_cast<long double>(x));
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  const long double unit = std::ldexp(1.0L, exponent - 24);
  return static_cast<double>(std::fabs(static_cast<long double>(tanh32(x)) - exact) / unit);
}

constexpr std::uint32_t kSmall = 0x39800000U;  // 2^-12
constexpr std::uint32_t kTen = 0x41200000U;

}  // namespace

TEST_CASE("tanh32: within 0.51 units of the last place, rising, odd") {
  double worst = 0.0;
  bool rising = true;
  bool odd = true;
  float before = 0.0F;
  for (std::uint32_t bits = kSmall - 1000; bits < kTen + 1000; bits += 131) {
    const float x = float_of(bits);
    const float y = tanh32(x);
    rising = rising && y >= before && y <= 1.0F;
    odd = odd && bits_of(tanh32(-x)) == (bits_of(y) ^ 0x80000000U);
    worst = std::fmax(worst, error_of(x));
    before = y;
  }
  CHECK(rising);
  CHECK(odd);
  CHECK(worst < 0.51);
}

TEST_CASE("tanh32: neighbours never fall, where the formula changes") {
  for (const std::uint32_t middle :
       {kSmall, kTen, 0x3EB17218U /* ln(2)/2 */, 0x3F851592U, 0x41102CB3U}) {
    float before = tanh32(float_of(middle - 20000));
    bool rising = true;
    for (std::uint32_t bits = middle - 20000; bits < middle + 20000; ++bits) {
      const float y = tanh32(float_of(bits));
      rising = rising && y >= before;
      before = y;
    }
    CHECK(rising);
  }
}

TEST_CASE("tanh32: the ends") {
  CHECK(bits_of(tanh32(0.0F)) == bits_of(0.0F));
  CHECK(bits_of(tanh32(-0.0F)) == bits_of(-0.0F));
  CHECK(tanh32(float_of(1)) == float_of(1));
  CHECK(tanh32(float_of(kSmall - 1)) == float_of(kSmall - 1));
  CHECK(tanh32(std::numeric_limits<float>::infinity()) == 1.0F);
  CHECK(tanh32(-std::numeric_limits<float>::infinity()) == -1.0F);
  CHECK(tanh32(std::numeric_limits<float>::max()) == 1.0F);
  CHECK(std::isnan(tanh32(std::numeric_limits<float>::quiet_NaN())));
}

}  // namespace jackdaw
