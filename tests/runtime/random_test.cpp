// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "jackdaw/sha256.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

TEST_CASE("the integers are those of SplitMix64") {
  Random random(1234567);  // the sequence that the algorithm's author published for this seed
  for (const std::uint64_t expected :
       {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
        4593380528125082431ULL, 16408922859458223821ULL}) {
    CHECK(random.bits() == expected);
  }
}

TEST_CASE("the numbers of seed 0 are the same on every machine, to the last bit") {
  Random random(0);
  CHECK(random.bits() == 0xE220A8397B1DCDAFULL);
  CHECK(random.uniform() == 0x1.b9e279aa86e5ap-2);
  CHECK(random.normal() == -0x1.6c93ef6b47ee2p-1);
  CHECK(random.normal() == -0x1.3fd7424aef391p-2);
  CHECK(random.truncated_normal() == -0x1.3ea8af5f57796p-1);
  CHECK(random.below(1000) == 299);
  CHECK(mix(1, 2) == 0x9A23C3A0FFEDFEBULL);
}

TEST_CASE("a hundred thousand normals have these bits, on every machine") {
  Random random(0);
  Sha256 hash;
  for (int i = 0; i < 100000; ++i) {
    const double value = random.normal();
    hash.add({reinterpret_cast<const std::byte*>(&value), sizeof value});
  }
  CHECK(to_hex(hash.finish()) ==
        "2b55c484f603f79c110e5ed5c42471e8ee739493fe9fb2309991989c8d9937be");
}

TEST_CASE("normals have the moments and the tails of a normal distribution") {
  constexpr int kDraws = 400000;
  Random random(testing::seed());
  double sum[5] = {};
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    double power = 1.0;
    for (double& s : sum) {
      s += power;
      power *= value;
    }
    beyond_two += std::fabs(value) > 2.0 ? 1 : 0;
  }
  // Five deviations of each estimate: variances of x, x^2, x^3, x^4 are 1, 2, 15, 96.
  const double five = 5.0 / std::sqrt(static_cast<double>(kDraws));
  CHECK(std::fabs(sum[1] / kDraws) < five);
  CHECK(std::fabs(sum[2] / kDraws - 1.0) < five * std::sqrt(2.0));
  CHECK(std::fabs(sum[3] / kDraws) < five * std::sqrt(15.0));
  CHECK(std::fabs(sum[4] / kDraws - 3.0) < five * std::sqrt(96.0));
  CHECK(std::fabs(beyond_two / static_cast<double>(kDraws) - 0.04550026) < five * 0.2084);
}

TEST_CASE("neighbouring normals are not correlated") {
  constexpr int kDraws = 200000;
  Random random(testing::seed());
  double last = random.normal();
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.normal();
    sum += last * value;
    last = value;
  }
  CHECK(std::fabs(sum / kDraws) < 5.0 / std::sqrt(static_cast<double>(kDraws)));
}

TEST_CASE("truncated normals stay within two deviations and keep the variance of the cut bell") {
  constexpr int kDraws = 200000;
  Random random(testing::seed());
  double square = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.truncated_normal();
    REQUIRE(std::fabs(value) <= 2.0);
    square += value * value;
  }
  CHECK(square / kDraws == doctest::Approx(0.7737413).epsilon(0.01));
}

TEST_CASE("uniform numbers lie strictly between 0 and 1 and fill every tenth alike") {
  constexpr int kDraws = 100000;
  Random random(testing::seed());
  int tenth[10] = {};
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.uniform();
    REQUIRE(value > 0.0);
    REQUIRE(value < 1.0);
    ++tenth[static_cast<int>(value * 10.0)];
  }
  for (const int count : tenth) CHECK(std::abs(count - kDraws / 10) < 500);
}

TEST_CASE("below(b) reaches 0 to b-1, nothing else, each about as often") {
  Random random(testing::seed());
  for (const std::uint64_t bound : {1ULL, 2ULL, 3ULL, 7ULL, 10ULL}) {
    std::vector<int> count(bound, 0);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t draw = random.below(bound);
      REQUIRE(draw < bound);
      ++count[draw];
    }
    const double expected = 20000.0 / static_cast<double>(bound);
    for (const int c : count) CHECK(std::fabs(c - expected) < 6.0 * std::sqrt(expected));
  }
  CHECK(random.below(UINT64_MAX) < UINT64_MAX);
}

TEST_CASE("mix gives different numbers for different pairs, in either place") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 60; ++a) {
    for (std::uint64_t b = 0; b < 60; ++b) seen.insert(mix(a, b));
  }
  CHECK(seen.size() == 3600);
}

}  // namespace
}  // namespace jackdaw
