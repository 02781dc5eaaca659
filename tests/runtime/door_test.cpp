// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/door.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

using Quantised = std::vector<std::int8_t>;

Quantised quantised(const std::vector<float>& z, float levels = 4.0F) {
  Quantised x(z.size());
  REQUIRE(quantise(z, levels, x) == Status::kOk);
  return x;
}

std::vector<float> random_embedding(std::size_t d, Rng& rng) {
  std::normal_distribution<float> normal;
  std::vector<float> z(d);
  for (float& value : z) value = normal(rng);
  return z;
}

TEST_CASE("an element becomes levels*sqrt(d)*z/|z|, rounded to the nearest whole number") {
  // |z| = 5 and sqrt(d) = 2: the factor is 4*2/5 = 1.6.
  CHECK(quantised({3, 0, 0, 4}) == Quantised{5, 0, 0, 6});  // 4.8, 6.4
  CHECK(quantised({-3, 0, -4, 0}) == Quantised{-5, 0, -6, 0});
  CHECK(quantised({1, 1, 1, 1}, 2.5F) == Quantised{2, 2, 2, 2});    // 2.5: halves to even
  CHECK(quantised({1, 1, -1, 1}, 3.5F) == Quantised{4, 4, -4, 4});  // 3.5
  Rng rng(seed());
  for (int round = 0; round < 100; ++round) {
    const std::vector<float> z = random_embedding(between(rng, 1, 600), rng);
    long double square = 0;
    for (const float value : z) square += static_cast<long double>(value) * value;
    const Quantised x = quantised(z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const long double exact =
          4.0L * std::sqrt(static_cast<long double>(z.size()) / square) * z[i];
      REQUIRE(std::fabs(x[i] - exact) <= 0.5L + 1e-9L);
    }
  }
}

TEST_CASE(
    "only the direction counts: scaling an embedding by a power of two changes no byte, and by "
    "anything else at most an element on the edge of rounding") {
  Rng rng(seed());
  std::size_t elements = 0;
  std::size_t moved = 0;
  for (int round = 0; round < 200; ++round) {
    const std::vector<float> z = random_embedding(between(rng, 1, 300), rng);
    const Quantised x = quantised(z);
    for (const float factor : {0x1p-60F, 0.5F, 2.0F, 0x1p40F}) {
      std::vector<float> scaled = z;
      for (float& value : scaled) value *= factor;
      CHECK(quantised(scaled) == x);
    }
    std::vector<float> scaled = z;
    for (float& value : scaled) value *= 0.37F;
    const Quantised y = quantised(scaled);
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(std::abs(x[i] - y[i]) <= 1);
      moved += x[i] != y[i] ? 1U : 0U;
    }
    elements += x.size();
  }
  CHECK(moved * 10000 <= elements);
}

TEST_CASE("elements are clamped at +-127") {
  std::vector<float> z(2048, 0.0F);
  z[7] = 3.0F;  // alone: 4*sqrt(2048) = 181
  CHECK(quantised(z)[7] == 127);
  z[7] = -3.0F;
  CHECK(quantised(z)[7] == -127);
}

TEST_CASE("embeddings of any finite size have a direction") {
  constexpr float kMax = std::numeric_limits<float>::max();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  CHECK(quantised({kMax, -kMax}) == Quantised{4, -4});
  CHECK(quantised({kTiny, 0, 0, 0}) == Quantised{8, 0, 0, 0});
  std::vector<float> x(2);
  REQUIRE(normalise(std::vector<float>{kMax, 0.0F}, x) == Status::kOk);
  CHECK(x == std::vector<float>{1.0F, 0.0F});
}

TEST_CASE("NaN, infinity and the zero vector are refused and nothing is written") {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity()};
  Rng rng(seed());
  for (const float value : bad) {
    std::vector<float> z = random_embedding(between(rng, 1, 90), rng);
    z[between(rng, 0, static_cast<std::uint32_t>(z.size() - 1))] = value;
    Quantised x(z.size(), 77);
    CHECK(quantise(z, 4.0F, x) == Status::kNotFinite);
    CHECK(x == Quantised(z.size(), 77));
    std::vector<float> unit(z.size(), 77.0F);
    CHECK(normalise(z, unit) == Status::kNotFinite);
    CHECK(unit == std::vector<float>(z.size(), 77.0F));
  }
  const std::vector<float> zero = {0.0F, -0.0F, 0.0F};
  Quantised x(3, 77);
  CHECK(quantise(zero, 4.0F, x) == Status::kZeroEmbedding);
  CHECK(x == Quantised(3, 77));
}

TEST_CASE("profile seed's examples have length 1 and the embedding's direction") {
  Rng rng(seed());
  for (int round = 0; round < 50; ++round) {
    const std::vector<float> z = random_embedding(between(rng, 1, 600), rng);
    std::vector<float> x(z.size());
    REQUIRE(normalise(z, x) == Status::kOk);
    double square = 0, dot = 0, length = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      square += static_cast<double>(x[i]) * static_cast<double>(x[i]);
      dot += static_cast<double>(x[i]) * static_cast<double>(z[i]);
      length += static_cast<double>(z[i]) * static_cast<double>(z[i]);
    }
    CHECK(square == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(dot == doctest::Approx(std::sqrt(length)).epsilon(1e-6));
  }
}

}  // namespace
}  // namespace jackdaw::testing
