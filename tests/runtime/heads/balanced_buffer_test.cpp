// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "heads/balanced_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/seed.hpp"

namespace jackdaw {
namespace {

struct Kept {
  std::vector<std::uint32_t> owners;
  std::vector<BalancedBuffer::ClassState> classes;
  std::vector<std::size_t> examples;  // [capacity]: which of the stream lies there
  BalancedBuffer buffer;

  Kept(std::size_t capacity, std::size_t class_count, std::uint64_t seed)
      : owners(capacity), classes(class_count), examples(capacity), buffer(owners, classes, seed) {}

  void take(const std::vector<std::uint32_t>& stream) {
    for (const std::uint32_t slot : stream) {
      const std::uint32_t place = buffer.place_for(slot);
      if (place != BalancedBuffer::kNone) examples.at(place) = taken;
      ++taken;
    }
  }

  void check_books() const {
    std::vector<std::uint32_t> held(classes.size(), 0);
    for (std::uint32_t i = 0; i < buffer.size(); ++i) ++held[buffer.owner(i)];
    for (std::uint32_t c = 0; c < classes.size(); ++c) CHECK(held[c] == buffer.state(c).held);
  }

  std::size_t taken = 0;
};

std::vector<std::uint32_t> repeated(std::size_t count, std::uint32_t slot) {
  return std::vector<std::uint32_t>(count, slot);
}

TEST_CASE("everything is kept while there is room") {
  Kept kept(10, 3, testing::seed());
  kept.take({0, 1, 2, 2, 1, 0, 0, 0, 0, 0});
  for (std::size_t i = 0; i < 10; ++i) CHECK(kept.examples[i] == i);
  kept.check_books();
}

TEST_CASE("classes that come one after the other end up with equal shares") {
  for (const std::size_t capacity : {7U, 50U, 103U}) {
    CAPTURE(capacity);
    Kept kept(capacity, 6, testing::seed());
    for (std::uint32_t slot = 0; slot < 6; ++slot) {
      kept.take(repeated(200, slot));
      kept.check_books();
      std::uint32_t least = BalancedBuffer::kNone, most = 0;
      for (std::uint32_t c = 0; c <= slot; ++c) {
        least = std::min(least, kept.buffer.state(c).held);
        most = std::max(most, kept.buffer.state(c).held);
      }
      CHECK(kept.buffer.size() == capacity);
      CHECK(most - least <= 1);
      CHECK(least >= 1);
    }
  }
}

TEST_CASE("in any order: rare classes keep all they have, the others share the rest") {
  std::mt19937_64 random(testing::seed());
  for (int time = 0; time < 20; ++time) {
    const std::uint32_t seen[5] = {3, 9, 500, 300, 40};
    std::vector<std::uint32_t> stream;
    for (std::uint32_t c = 0; c < 5; ++c) stream.insert(stream.end(), seen[c], c);
    std::shuffle(stream.begin(), stream.end(), random);
    Kept kept(60, 5, random());
    kept.take(stream);
    kept.check_books();
    CHECK(kept.buffer.state(0).held == 3);
    CHECK(kept.buffer.state(1).held == 9);
    for (std::uint32_t c = 2; c < 5; ++c) CHECK(kept.buffer.state(c).held == 16);  // (60-12)/3
  }
}

TEST_CASE("within a class early and late examples are kept alike") {
  constexpr std::size_t kTimes = 300, kCapacity = 40, kStream = 1000;
  std::size_t early = 0;
  for (std::size_t time = 0; time < kTimes; ++time) {
    Kept kept(kCapacity, 1, testing::seed() + time);
    kept.take(repeated(kStream, 0));
    for (const std::size_t example : kept.examples) early += example < kStream / 2;
  }
  // 12,000 fair draws: the deviation is 55.
  CHECK(std::fabs(static_cast<double>(early) - kTimes * kCapacity / 2.0) < 5 * 55);
}

}  // namespace
}  // namespace jackdaw
