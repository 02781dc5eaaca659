// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What teaching writes: rows of every store type and the scatter, in every table of loops.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "support/elements.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("adding to a row is exact, stops at the store's limit and says whether it had to") {
  Rng rng(seed());
  for (int round = 0; round < 200; ++round) {
    const std::size_t stride = random_stride(rng);
    const auto delta = random_bytes(stride, rng);
    const int sign = between(rng, 0, 1) == 0 ? -1 : 1;
    for (const StoreType store : kStores) {
      CAPTURE(std::string(name_of(store)));
      // Now and then a single element at the limit, so that one clamp alone must be noticed.
      Bytes row = random_elements(store, stride, rng);
      if (between(rng, 0, 1) == 0) row.assign(row.size(), std::byte{0});
      const std::int64_t limit = element_limit(store);
      std::vector<std::int64_t> expected(stride);
      bool clamped = false;
      for (std::size_t i = 0; i < stride; ++i) {
        const std::int64_t sum = element_at(store, row, i) + sign * delta[i];
        expected[i] = std::min(std::max(sum, -limit), limit);
        clamped |= expected[i] != sum;
      }
      for (const Primitives* table : runnable_primitives()) {
        CAPTURE(std::string(table->name));
        Bytes changed = row;
        CHECK(table->add_row[static_cast<std::size_t>(store)](changed.data(), delta.data(), sign,
                                                              stride) == clamped);
        bool same = true;
        for (std::size_t i = 0; i < stride; ++i) {
          same &= element_at(store, changed, i) == expected[i];
        }
        CHECK(same);
      }
      all_alike([&](const Primitives& table) {  // also: no -0 where another table has +0
        Bytes changed = row;
        table.add_row[static_cast<std::size_t>(store)](changed.data(), delta.data(), sign, stride);
        return changed;
      });
    }
  }
}

TEST_CASE("a single element that reaches the limit exactly is not a clamp; one step more is") {
  for (const StoreType store : kStores) {
    for (const int sign : {1, -1}) {
      for (std::size_t place = 0; place < 64; ++place) {
        for (const Primitives* table : runnable_primitives()) {
          Bytes row(64 * element_bytes(store));
          std::vector<std::int8_t> delta(64, 0);
          const auto add = [&](int step) {
            delta[place] = static_cast<std::int8_t>(step);
            return table->add_row[static_cast<std::size_t>(store)](row.data(), delta.data(), sign,
                                                                   64);
          };
          if (store == StoreType::kInt32) {
            const std::int32_t near = sign * (2147483647 - 100);
            std::memcpy(row.data() + place * 4, &near, 4);
          } else {
            for (std::int64_t at = 0; at < element_limit(store) - 100;) {
              const std::int64_t step =
                  std::min<std::int64_t>(element_limit(store) - 100 - at, 127);
              REQUIRE(!add(static_cast<int>(step)));
              at += step;
            }
          }
          REQUIRE(!add(100));
          REQUIRE(element_at(store, row, place) == sign * std::int64_t{element_limit(store)});
          REQUIRE(add(1));
          REQUIRE(element_at(store, row, place) == sign * std::int64_t{element_limit(store)});
          REQUIRE(!add(-127));
          REQUIRE(element_at(store, row, place) ==
                  sign * (std::int64_t{element_limit(store)} - 127));
        }
      }
    }
  }
}

TEST_CASE(
    "the scatter gets the outer products, on and below the diagonal's blocks and nowhere else") {
  Rng rng(seed());
  for (int round = 0; round < 16; ++round) {
    const std::size_t stride = 32 * std::size_t{between(rng, 1, 12)};
    const std::size_t pairs = between(rng, 1, kMostPairs);
    std::vector<std::int32_t> before(stride * stride);
    for (std::int32_t& v : before)
      v = static_cast<std::int32_t>(between(rng, 0, 2000000)) - 1000000;
    std::vector<std::int32_t> expected = before;
    std::vector<std::int16_t> side_by_side(2 * pairs * stride);
    std::vector<int> signs;
    for (std::size_t e = 0; e < 2 * pairs; ++e) {
      const auto x = random_bytes(stride, rng);
      signs.push_back(static_cast<int>(between(rng, 0, 2)) - 1);
      for (std::size_t r = 0; r < stride; ++r) {
        side_by_side[e / 2 * 2 * stride + 2 * r + e % 2] = x[r];
        for (std::size_t c = 0; c < 16 * (r / 16 + 1); ++c) {
          expected[r * stride + c] += signs[e] * x[r] * x[c];
        }
      }
    }
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      std::vector<std::int32_t> scatter = before;
      table->add_scatter(scatter.data(), side_by_side.data(), signs.data(), pairs, stride);
      CHECK(scatter == expected);
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
