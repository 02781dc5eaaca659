// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile seed's key search against comparing every key with the whole example, in every table of
// loops: the same keys and the same similarities, to the bit.

#include "cpu/key_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/door.hpp"
#include "core/fixed_point.hpp"
#include "jackdaw/memory_plan.hpp"
#include "support/elements.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("the nearest whole number, ties to even, is what rint gives") {
  Rng rng(seed());
  std::uniform_real_distribution<float> any(-4e7F, 4e7F);
  for (int i = 0; i < 200000; ++i) {
    float value = any(rng);
    if (i % 2 == 0) value = std::ldexp(value, -static_cast<int>(between(rng, 0, 30)));
    if (i % 5 == 0) value = std::floor(value) + 0.5F;
    REQUIRE(nearest_whole(value) == static_cast<std::int32_t>(std::rint(value)));
  }
}

TEST_CASE("fixed point stays within one, whatever it is given") {
  CHECK(fixed_point(1.0F) == 33554432);
  CHECK(fixed_point(-1.0F) == -33554432);
  CHECK(fixed_point(7.0F) == 33554432);
  CHECK(fixed_point(-std::numeric_limits<float>::infinity()) == -33554432);
  CHECK(fixed_point(std::numeric_limits<float>::quiet_NaN()) == 33554432);
  CHECK(fixed_point(std::ldexp(1.0F, -25)) == 1);
}

// A unit vector of one of several kinds: even, with one large element, with few, of one sign.
std::vector<float> random_example(std::size_t d, std::size_t stride, Rng& rng) {
  std::normal_distribution<float> normal;
  std::vector<float> z(d);
  for (float& value : z) value = normal(rng);
  const auto kind = between(rng, 0, 5);
  if (kind == 0) z[between(rng, 0, static_cast<std::uint32_t>(d) - 1)] += 100.0F;
  if (kind == 1) {
    for (std::size_t i = d / 8 + 1; i < d; ++i) z[i] *= 1e-4F;
  }
  if (kind == 2) {
    for (float& value : z) value = std::fabs(value);
  }
  std::vector<float> x(stride);
  REQUIRE(normalise(z, Span<float>(x.data(), d)) == Status::kOk);
  return x;
}

TEST_CASE("an example's bytes add up to it, in every table") {
  Rng rng(seed());
  for (int round = 0; round < 200; ++round) {
    const std::size_t stride = random_stride(rng);
    const auto x = random_example(stride, stride, rng);
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      std::vector<std::int8_t> high(stride), low(kLowParts * stride);
      SplitExample split{high.data(), low.data(), 0, 0.0F};
      table->split(x.data(), stride, split);
      double square = 0.0;
      for (std::size_t i = 0; i < stride; ++i) {
        const std::int64_t rest =
            low[i] + 256 * (low[stride + i] + std::int64_t{256} * low[2 * stride + i]);
        REQUIRE(std::int64_t{split.multiplier} * high[i] + rest == fixed_point(x[i]));
        REQUIRE(2 * std::abs(rest) <= split.multiplier + 64);
        square += static_cast<double>(rest * rest);
      }
      CHECK(static_cast<double>(split.rest) == doctest::Approx(std::sqrt(square)).epsilon(1e-5));
    }
  }
}

struct Search {
  EnsembleSettings settings;
  std::vector<std::int8_t> keys, packed;
  std::vector<float> inverse;
  std::vector<std::byte> memory;
  StoreView store;
  ScratchView scratch;

  explicit Search(const EnsembleSettings& s)
      : settings(s),
        keys(std::size_t{s.classifiers} * padded(s.dimensions)),
        packed(packed_key_bytes(s.classifiers, padded(s.dimensions))),
        inverse(s.classifiers),
        memory(scratch_bytes(s)) {
    store.shape = shape_of(s);
    scratch = scratch_at(memory.data(), settings);
    draw_keys(s.seed, s.dimensions, store.shape.stride, Span<std::int8_t>(keys));
  }
  KeySearch with(const Primitives& table) {
    invert_lengths(Span<const std::int8_t>(keys), store.shape.stride, Span<float>(inverse));
    store.keys = keys.data();
    store.inverse_lengths = inverse.data();
    table.pack_keys(keys.data(), settings.classifiers, store.shape.stride, packed.data());
    const auto [least, most] = std::minmax_element(inverse.begin(), inverse.end());
    return {store, table, packed.data(), *least, *most};
  }
};

TEST_CASE("the search finds what comparing everything finds, in every table") {
  Rng rng(seed());
  for (int round = 0; round < 150; ++round) {
    EnsembleSettings s;
    s.profile = Profile::kSeed;
    s.seed = rng();
    s.dimensions = between(rng, 0, 3) == 0 ? between(rng, 1, 900) : between(rng, 1, 90);
    s.classifiers = between(rng, 1, 400);
    s.nearest = between(rng, 0, 3) == 0 ? between(rng, 1, s.classifiers)
                                        : std::min(s.classifiers, between(rng, 1, 32));
    s.max_batch = between(rng, 1, 13);
    CAPTURE(s.dimensions);
    CAPTURE(s.classifiers);
    CAPTURE(s.nearest);
    Search search(s);
    const std::size_t stride = search.store.shape.stride;
    if (between(rng, 0, 2) == 0) {  // some keys twice: ties
      for (std::size_t j = 1; j < s.classifiers; j += 2) {
        std::copy_n(search.keys.begin(), stride,
                    search.keys.begin() + static_cast<std::ptrdiff_t>(j * stride));
      }
    }
    if (between(rng, 0, 2) == 0) {  // and some much shorter than others
      for (std::size_t i = 0; i < s.classifiers / 2 * stride; ++i) {
        if (search.keys[i] > 2) search.keys[i] = static_cast<std::int8_t>(search.keys[i] / 2);
      }
    }
    std::vector<std::vector<float>> examples;
    for (std::size_t b = 0; b < s.max_batch; ++b) {
      examples.push_back(random_example(s.dimensions, stride, rng));
    }
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      const KeySearch with = search.with(*table);
      for (std::size_t b = 0; b < s.max_batch; ++b) {
        std::copy(examples[b].begin(), examples[b].end(),
                  static_cast<float*>(search.scratch.examples) + b * stride);
      }
      with.compare(search.scratch, s.max_batch);
      for (std::size_t b = 0; b < s.max_batch; ++b) {
        with.select(search.scratch, b);
        std::vector<float> similarity(s.classifiers);
        for (std::size_t j = 0; j < s.classifiers; ++j) {
          std::int64_t sum = 0;
          for (std::size_t i = 0; i < stride; ++i) {
            sum += std::int64_t{fixed_point(examples[b][i])} * search.keys[j * stride + i];
          }
          similarity[j] = similarity_of(sum, search.inverse[j]);
        }
        std::vector<std::uint32_t> order(s.classifiers);
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
          return similarity[i] > similarity[j];
        });
        order.resize(s.nearest);
        std::sort(order.begin(), order.end());
        for (std::size_t r = 0; r < s.nearest; ++r) {
          REQUIRE(search.scratch.chosen[b * s.nearest + r] == order[r]);
          REQUIRE(search.scratch.weights[b * s.nearest + r] == similarity[order[r]]);
        }
      }
    }
  }
}

TEST_CASE("few keys more than k are compared in full") {
  EnsembleSettings s;
  s.profile = Profile::kSeed;
  s.dimensions = 512;
  s.max_batch = 64;
  Search search(s);
  Rng rng(seed());
  for (std::size_t b = 0; b < s.max_batch; ++b) {
    std::normal_distribution<float> normal;
    std::vector<float> z(512);
    for (float& value : z) value = normal(rng);
    REQUIRE(normalise(z, {static_cast<float*>(search.scratch.examples) + b * 512, 512}) ==
            Status::kOk);
  }
  const KeySearch with = search.with(best_primitives());
  with.compare(search.scratch, s.max_batch);
  std::size_t candidates = 0;
  for (std::size_t b = 0; b < s.max_batch; ++b) {
    std::fill_n(search.scratch.candidates, s.classifiers, s.classifiers);
    with.select(search.scratch, b);
    candidates += static_cast<std::size_t>(
        std::count_if(search.scratch.candidates, search.scratch.candidates + s.classifiers,
                      [&](std::uint32_t j) { return j != s.classifiers; }));
  }
  MESSAGE("candidates an example: " << candidates / s.max_batch << " of 1024, for k = 32");
  if (&best_primitives() != &kPlainPrimitives) CHECK(candidates < 100 * s.max_batch);
}

}  // namespace
}  // namespace jackdaw::testing
