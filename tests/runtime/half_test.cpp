// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/half.hpp"

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "support/seed.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kPatterns = 65536;

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

Half half_of(std::uint32_t bits) { return Half{static_cast<std::uint16_t>(bits)}; }

bool is_nan(std::uint32_t half) { return (half & 0x7FFFU) > 0x7C00U; }

// --- the reference: IEEE 754's definition of binary16, in double -------------------------------

// The value of a finite pattern; for 0x7C00, where infinity begins, what the next number would be.
double reference_value(std::uint32_t half) {
  const int exponent = static_cast<int>((half >> 10) & 0x1FU);
  const double fraction = static_cast<double>(half & 0x3FFU);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0 + fraction, exponent - 25);
  return (half & 0x8000U) != 0 ? -magnitude : magnitude;
}

// The nearest pattern, found by bisection and one comparison of distances; even wins a tie.
std::uint32_t reference_half(double value) {
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  const double magnitude = std::fabs(value);
  if (magnitude >= reference_value(0x7C00U)) return sign | 0x7C00U;
  std::uint32_t below = 0, above = 0x7C00U;  // value(below) <= magnitude < value(above)
  while (above - below > 1) {
    const std::uint32_t middle = (below + above) / 2;
    (reference_value(middle) <= magnitude ? below : above) = middle;
  }
  const double down = magnitude - reference_value(below);
  const double up = reference_value(above) - magnitude;
  const bool take_above = up < down || (up == down && above % 2 == 0);
  return sign | (take_above ? above : below);
}

// --- counting instead of one CHECK per pattern -------------------------------------------------

struct Tally {
  std::uint64_t wrong = 0;
  std::string first;
  void expect(bool good, std::uint32_t input, std::uint32_t got, std::uint32_t wanted) {
    if (good) return;
    if (wrong++ == 0) {
      char text[96];
      std::snprintf(text, sizeof text, "input 0x%08x gave 0x%08x, wanted 0x%08x", input, got,
                    wanted);
      first = text;
    }
  }
};

#define CHECK_TALLY(tally)      \
  do {                          \
    INFO((tally).first);        \
    CHECK((tally).wrong == 0U); \
  } while (false)

// Puts back the rounding mode and flush-to-zero bits that a test changes.
class FloatMode {
 public:
  FloatMode() { std::fegetenv(&saved_); }
  ~FloatMode() { std::fesetenv(&saved_); }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

  static void flush_to_zero() {
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | 0x8040U);
#elif defined(__aarch64__)
    std::uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    fpcr |= 1U << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr));
#endif
  }

 private:
  std::fenv_t saved_;
};

// Floats round every rounding boundary, every pattern's own value, and the special ones.
std::vector<float> boundary_floats() {
  std::vector<float> floats;
  const auto with_neighbours = [&](double value) {
    const float f = static_cast<float>(value);
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float near : {std::nextafterf(f, -infinity), f, std::nextafterf(f, infinity)}) {
      floats.push_back(near);
      floats.push_back(-near);
    }
  };
  for (std::uint32_t half = 0; half < 0x7C00U; ++half) {
    with_neighbours(reference_value(half));
    with_neighbours((reference_value(half) + reference_value(half + 1)) / 2);
  }
  with_neighbours(65536.0);
  for (const std::uint32_t bits :
       {0x00000001U, 0x007FFFFFU, 0x00800000U, 0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FBFFFFFU,
        0x7FC00000U, 0x7FC01FFFU, 0x7FC02000U, 0x7FFFFFFFU, 0x7F801FFFU, 0x7F802000U}) {
    floats.push_back(float_of(bits));
    floats.push_back(float_of(bits | 0x80000000U));
  }
  return floats;
}

Tally compare_bulk_to_half(const std::vector<float>& floats) {
  std::vector<Half> halves(floats.size());
  REQUIRE(to_half(floats, halves) == Status::kOk);
  Tally tally;
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const std::uint32_t wanted = to_half(floats[i]).bits;
    tally.expect(halves[i].bits == wanted, bits_of(floats[i]), halves[i].bits, wanted);
  }
  return tally;
}

Tally compare_bulk_to_float() {
  std::vector<Half> halves;
  for (std::uint32_t half = 0; half < kPatterns; ++half) halves.push_back(half_of(half));
  std::vector<float> floats(halves.size());
  REQUIRE(to_float(halves, floats) == Status::kOk);
  Tally tally;
  for (std::uint32_t half = 0; half < kPatterns; ++half) {
    const std::uint32_t wanted = bits_of(to_float(half_of(half)));
    tally.expect(bits_of(floats[half]) == wanted, half, bits_of(floats[half]), wanted);
  }
  return tally;
}

}  // namespace

TEST_CASE("every pattern has the value that the standard defines") {
  Tally tally;
  for (std::uint32_t half = 0; half < kPatterns; ++half) {
    const std::uint32_t got = bits_of(to_float(half_of(half)));
    std::uint32_t wanted = 0;
    if (is_nan(half)) {
      wanted = ((half & 0x8000U) << 16) | 0x7FC00000U | ((half & 0x1FFU) << 13);
    } else if ((half & 0x7FFFU) == 0x7C00U) {
      wanted = half == 0x7C00U ? 0x7F800000U : 0xFF800000U;
    } else {
      wanted = bits_of(static_cast<float>(reference_value(half)));
    }
    tally.expect(got == wanted, half, got, wanted);
  }
  CHECK_TALLY(tally);
}

TEST_CASE("every pattern survives the way to float and back; signalling NaNs come back quiet") {
  Tally tally;
  std::uint32_t made_quiet = 0;
  for (std::uint32_t half = 0; half < kPatterns; ++half) {
    const std::uint32_t got = to_half(to_float(half_of(half))).bits;
    const std::uint32_t wanted = is_nan(half) ? half | 0x0200U : half;
    if (wanted != half) ++made_quiet;
    tally.expect(got == wanted, half, got, wanted);
  }
  CHECK_TALLY(tally);
  CHECK(made_quiet == 1022U);
}

TEST_CASE("floats at and beside every rounding boundary go to the nearest half, ties to even") {
  Tally tally;
  std::uint64_t checked = 0;
  for (const float value : boundary_floats()) {
    if (std::isnan(value)) continue;
    const std::uint32_t got = to_half(value).bits;
    const std::uint32_t wanted = reference_half(static_cast<double>(value));
    tally.expect(got == wanted, bits_of(value), got, wanted);
    ++checked;
  }
  CHECK_TALLY(tally);
  CHECK(checked > 12U * 0x7C00U);
}

TEST_CASE("random floats of every exponent go to the nearest half") {
  std::mt19937_64 random(testing::seed());
  Tally tally;
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    for (int i = 0; i < 400; ++i) {
      const auto noise = static_cast<std::uint32_t>(random());
      const float value = float_of((noise & 0x807FFFFFU) | (exponent << 23));
      const std::uint32_t got = to_half(value).bits;
      const std::uint32_t wanted = reference_half(static_cast<double>(value));
      tally.expect(got == wanted, bits_of(value), got, wanted);
    }
  }
  CHECK_TALLY(tally);
}

TEST_CASE("a NaN keeps its sign and the top of its payload, and is quiet") {
  CHECK(to_half(float_of(0x7FC00000U)).bits == 0x7E00U);
  CHECK(to_half(float_of(0xFFC00000U)).bits == 0xFE00U);
  CHECK(to_half(float_of(0x7F800001U)).bits == 0x7E00U);  // signalling, payload below the cut
  CHECK(to_half(float_of(0x7F802000U)).bits == 0x7E01U);  // signalling, lowest bit that is kept
  CHECK(to_half(float_of(0xFFFFFFFFU)).bits == 0xFFFFU);
}

TEST_CASE("bulk conversions give the bits of the scalar ones") {
  MESSAGE("bulk conversions run as: ", std::string(half_conversion()));
  CHECK_TALLY(compare_bulk_to_half(boundary_floats()));
  CHECK_TALLY(compare_bulk_to_float());
}

TEST_CASE("bulk conversions do not depend on the rounding mode or on flush-to-zero") {
  const std::vector<float> floats = boundary_floats();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const FloatMode restore;
    REQUIRE(std::fesetround(mode) == 0);
    CHECK_TALLY(compare_bulk_to_half(floats));
    CHECK_TALLY(compare_bulk_to_float());
  }
  const FloatMode restore;
  FloatMode::flush_to_zero();
  CHECK_TALLY(compare_bulk_to_half(floats));
  CHECK_TALLY(compare_bulk_to_float());
}

TEST_CASE("bulk conversions take any length at any offset and write nothing else") {
  std::mt19937_64 random(testing::seed());
  constexpr std::size_t kRoom = 64;
  constexpr std::uint16_t kGuard = 0xABCD;
  const float guard = float_of(0x7FABCDEFU);
  std::vector<float> floats(kRoom);
  std::vector<Half> halves(kRoom);
  for (std::size_t i = 0; i < kRoom; ++i) {
    floats[i] = float_of(static_cast<std::uint32_t>(random()));
    halves[i] = half_of(static_cast<std::uint32_t>(random()));
  }
  std::uint64_t wrong = 0;
  for (std::size_t length = 0; length <= 35; ++length) {
    for (std::size_t from = 0; from < 9; ++from) {
      for (std::size_t to = 0; to < 9; ++to) {
        std::vector<Half> half_out(kRoom, Half{kGuard});
        std::vector<float> float_out(kRoom, guard);
        REQUIRE(to_half(Span<const float>(floats).subspan(from, length),
                        Span<Half>(half_out).subspan(to, length)) == Status::kOk);
        REQUIRE(to_float(Span<const Half>(halves).subspan(from, length),
                         Span<float>(float_out).subspan(to, length)) == Status::kOk);
        for (std::size_t i = 0; i < kRoom; ++i) {
          const bool inside = i >= to && i < to + length;
          const std::size_t source = inside ? i - to + from : 0;
          const std::uint32_t half = inside ? to_half(floats[source]).bits : kGuard;
          const std::uint32_t bits = bits_of(inside ? to_float(halves[source]) : guard);
          if (half_out[i].bits != half || bits_of(float_out[i]) != bits) ++wrong;
        }
      }
    }
  }
  CHECK(wrong == 0U);
}

TEST_CASE("spans of different sizes are refused and nothing is written") {
  const float floats[3] = {1.0F, 2.0F, 3.0F};
  Half halves[2] = {half_of(0x1234U), half_of(0x1234U)};
  CHECK(to_half(Span<const float>(floats), Span<Half>(halves)) == Status::kWrongSize);
  CHECK(halves[0].bits == 0x1234U);
  float back[3] = {7.0F, 7.0F, 7.0F};
  CHECK(to_float(Span<const Half>(halves, 2), Span<float>(back)) == Status::kWrongSize);
  CHECK(back[0] == 7.0F);
}

TEST_SUITE("slow") {
  TEST_CASE("every one of the 2^32 floats: bulk gives the bits of scalar, and rounds monotonely") {
    constexpr std::uint32_t kChunk = 1U << 20;
    std::vector<float> floats(kChunk);
    std::vector<Half> halves(kChunk);
    Tally tally;
    std::uint32_t previous = 0;
    for (std::uint32_t chunk = 0; chunk < (1U << 12); ++chunk) {
      for (std::uint32_t i = 0; i < kChunk; ++i) floats[i] = float_of(chunk * kChunk + i);
      REQUIRE(to_half(floats, halves) == Status::kOk);
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        const std::uint32_t got = halves[i].bits;
        const std::uint32_t wanted = to_half(floats[i]).bits;
        tally.expect(got == wanted, bits_of(floats[i]), got, wanted);
        if (!is_nan(got)) {  // patterns ascend with the float's, within each sign
          tally.expect(got >= previous, bits_of(floats[i]), got, previous);
          previous = got;
        }
      }
    }
    CHECK_TALLY(tally);
  }
}

}  // namespace jackdaw
