// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "heads/neighbour_lists.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

// Few values, so that there are ties; sometimes so much changes that a list runs dry.
TEST_CASE("neighbour lists hold what a search of everything finds, whatever changes") {
  std::mt19937_64 random(testing::seed());
  for (int world = 0; world < 30; ++world) {
    const std::uint32_t capacity = 20 + static_cast<std::uint32_t>(random() % 400);
    const std::uint32_t nearest = 1 + static_cast<std::uint32_t>(random() % 12);
    constexpr std::size_t kQuestions = 3;
    NeighbourLists lists(kQuestions, nearest);
    std::vector<std::vector<std::int32_t>> products(kQuestions);
    std::vector<std::set<std::uint32_t>> changed(kQuestions);
    std::uint32_t size = 0;
    for (int step = 0; step < 60; ++step) {
      const std::size_t writes = random() % (step % 10 == 0 ? capacity : 15);
      for (std::size_t w = 0; w < writes; ++w) {
        const std::uint32_t place =
            size < capacity ? size++ : static_cast<std::uint32_t>(random() % capacity);
        for (std::size_t q = 0; q < kQuestions; ++q) {
          products[q].resize(size);
          products[q][place] = static_cast<std::int32_t>(random() % 50) - step / 3;
          changed[q].insert(place);
        }
      }
      const std::size_t q = random() % kQuestions;  // the others wait
      const std::vector<std::uint32_t> places(changed[q].begin(), changed[q].end());
      changed[q].clear();
      const auto found =
          lists.update(q, places, size, [&](std::uint32_t place) { return products[q][place]; });
      std::vector<Neighbour> all;
      for (std::uint32_t place = 0; place < size; ++place) {
        all.push_back({products[q][place], place});
      }
      std::sort(all.begin(), all.end(), nearer);
      REQUIRE(found.size() == std::min<std::size_t>(nearest, size));
      for (std::size_t i = 0; i < found.size(); ++i) {
        REQUIRE(found[i].place == all[i].place);
        REQUIRE(found[i].product == all[i].product);
      }
    }
  }
}

}  // namespace
}  // namespace jackdaw
