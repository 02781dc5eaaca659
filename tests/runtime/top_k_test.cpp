// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "cpu/primitives.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

// By a stable sort of the indices: equal values keep their order, so the lower index wins.
std::vector<std::uint32_t> sorted_top_k(const std::vector<std::int32_t>& values, std::size_t k) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  order.resize(k);
  std::sort(order.begin(), order.end());
  return order;
}

void check_top_k(const std::vector<std::int32_t>& values, std::size_t k) {
  const std::size_t n = values.size();
  CAPTURE(n);
  CAPTURE(k);
  const auto expected = sorted_top_k(values, k);
  for (const Primitives* table : runnable_primitives()) {
    CAPTURE(std::string(table->name));
    std::vector<std::uint32_t> chosen(k);  // exactly k: AddressSanitizer guards its end
    table->top_k(values.data(), n, k, chosen.data());
    CHECK(chosen == expected);

    const std::int32_t bound = table->reached_by(values.data(), n, k);
    std::vector<std::uint32_t> reaching;
    for (std::uint32_t j = 0; j < n; ++j) {
      if (values[j] >= bound) reaching.push_back(j);
    }
    CHECK(reaching.size() >= k);
    std::vector<std::uint32_t> collected(reaching.size());
    CHECK(table->collect(values.data(), n, bound, collected.data()) == reaching.size());
    CHECK(collected == reaching);
  }
}

std::vector<std::int32_t> random_values(std::size_t n, std::int64_t low, std::int64_t high,
                                        Rng& rng) {
  std::uniform_int_distribution<std::int64_t> any(low, high);
  std::vector<std::int32_t> values(n);
  for (std::int32_t& v : values) v = static_cast<std::int32_t>(any(rng));
  return values;
}

TEST_CASE("top-k is what a stable sort gives, for many n and k, with and without ties") {
  Rng rng(seed());
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = between(rng, 0, 2) == 0 ? between(rng, 1, 3000) : between(rng, 1, 300);
    const std::size_t most = between(rng, 0, 1) == 0 ? n : std::min<std::size_t>(n, 40);
    const std::size_t k = between(rng, 1, static_cast<std::uint32_t>(most));
    switch (between(rng, 0, 3)) {
      case 0:
        check_top_k(random_values(n, kLeast, kMost, rng), k);
        break;
      case 1:
        check_top_k(random_values(n, -5, 5, rng), k);
        break;
      case 2:
        check_top_k(random_values(n, -1000, 1000, rng), k);
        break;
      default:
        check_top_k(random_values(n, 0, 1, rng), k);
        break;
    }
  }
}

TEST_CASE("k = 1, k = n - 1 and k = n, at sizes on both sides of every power of two") {
  Rng rng(seed());
  for (std::size_t power = 1; power <= 2048; power *= 2) {
    for (const std::size_t n : {power - 1, power, power + 1}) {
      if (n == 0) continue;
      const auto values = random_values(n, -20, 20, rng);
      check_top_k(values, 1);
      check_top_k(values, n);
      if (n > 1) check_top_k(values, n - 1);
      if (n > 32) check_top_k(values, 32);
      if (n > 256) check_top_k(values, 256);
    }
  }
}

TEST_CASE("of equal values the lowest indices are chosen, at the extremes of the range too") {
  for (const std::size_t n : {1U, 7U, 63U, 64U, 255U, 256U, 257U, 1000U, 1024U}) {
    for (const std::int32_t value : {0, -1, kLeast, kMost}) {
      const std::vector<std::int32_t> values(n, value);
      for (const std::size_t k : {std::size_t{1}, (n + 1) / 2, n}) check_top_k(values, k);
    }
  }
}

TEST_CASE("the least and the greatest int32 rank as such") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t n = between(rng, 2, 700);
    std::vector<std::int32_t> values(n);
    const std::int32_t choices[] = {kLeast, kLeast + 1, -1, 0, 1, kMost - 1, kMost};
    for (std::int32_t& v : values) v = choices[between(rng, 0, 6)];
    check_top_k(values, between(rng, 1, static_cast<std::uint32_t>(n)));
  }
}

TEST_CASE("the winners are found wherever they stand: sorted, reversed, or all in one group") {
  for (const std::size_t n : {300U, 1024U, 1500U}) {
    for (const std::size_t k : {1U, 32U, 33U, 200U}) {
      std::vector<std::int32_t> values(n);
      std::iota(values.begin(), values.end(), -100);
      check_top_k(values, k);
      std::reverse(values.begin(), values.end());
      check_top_k(values, k);
      // The largest in every 64th place, and only there: one group of maxima holds them all.
      for (std::size_t j = 0; j < n; ++j) {
        values[j] = static_cast<std::int32_t>(j % 64 == 5 ? 5000 + j : j % 7);
      }
      check_top_k(values, k);
      // The last places beyond the whole groups.
      for (std::size_t j = 0; j < n; ++j) values[j] = j + k >= n ? 9 : 3;
      check_top_k(values, k);
    }
  }
}

TEST_CASE("sortable numbers rank as their floats do; both zeros are one") {
  Rng rng(seed());
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {0.0F,
                               -0.0F,
                               1.0F,
                               -1.0F,
                               kInfinity,
                               -kInfinity,
                               std::numeric_limits<float>::denorm_min(),
                               -std::numeric_limits<float>::denorm_min(),
                               std::numeric_limits<float>::max(),
                               std::numeric_limits<float>::lowest(),
                               0.5F,
                               std::nextafter(0.5F, 1.0F)};
  for (int i = 0; i < 300; ++i) {
    const auto bits = static_cast<std::uint32_t>(rng());
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isnan(value)) values.push_back(value);
  }
  for (const float a : values) {
    for (const float b : values) {
      REQUIRE((sortable(a) < sortable(b)) == (a < b));
      REQUIRE((sortable(a) == sortable(b)) == (a == b));
    }
    REQUIRE(from_sortable(sortable(a)) == a);
  }
}

}  // namespace
}  // namespace jackdaw::testing
