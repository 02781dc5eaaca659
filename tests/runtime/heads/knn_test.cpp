// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "jackdaw/error.hpp"
#include "runtime/heads/gaussian_classes.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

using testing::Examples;
using testing::GaussianClasses;

HeadSettings knn_settings(std::uint64_t bytes) {
  HeadSettings settings;
  settings.dimensions = 20;
  settings.max_classes = 5;
  settings.knn.buffer_bytes = bytes;
  settings.seed = testing::seed();
  return settings;
}

double cosine(const float* a, const float* b, std::size_t d) {
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < d; ++i) {
    ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return ab / std::sqrt(aa * bb);
}

TEST_CASE("knn with room for all equals a search over all in double") {
  GaussianClasses world(testing::seed(), 5, 20, 0.8);
  const Examples train = world.draw(200);
  const Examples query = world.draw(100);
  const auto head = make_head(HeadKind::kKnn, knn_settings(20'000));
  testing::teach_all(*head, train, 16);
  const std::vector<float> scores = testing::scores_of(*head, query);
  for (std::size_t b = 0; b < query.count(); ++b) {
    std::vector<std::pair<double, std::uint32_t>> all;
    for (std::size_t e = 0; e < train.count(); ++e) {
      all.emplace_back(cosine(&query.embeddings[b * 20], &train.embeddings[e * 20], 20),
                       train.slots[e]);
    }
    std::sort(all.rbegin(), all.rend());
    // In 16 bits two neighbours that are alike to 1e-4 may change places; k = 10.
    if (all[9].first - all[10].first < 2e-4) continue;
    double expected[5] = {};
    for (std::size_t i = 0; i < 10; ++i)
      expected[all[i].second] += std::exp((all[i].first - 1) / 0.07);
    for (std::size_t c = 0; c < 5; ++c) {
      CHECK(static_cast<double>(scores[b * 5 + c]) == doctest::Approx(expected[c]).epsilon(2e-3));
    }
  }
}

TEST_CASE("all that knn keeps fits into the bytes it was given") {
  for (std::uint64_t bytes = 1'300; bytes < 40'000; bytes += 777) {
    CAPTURE(bytes);
    const auto head = make_head(HeadKind::kKnn, knn_settings(bytes));
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = 0;
    for (const PlannedSection& section : head->memory().sections) {
      if (section.purpose != "buffer") continue;
      begin = std::min(begin, section.offset);
      end = std::max(end, section.offset + section.bytes);
    }
    CHECK(end - begin <= bytes);
    CHECK(end - begin + 3 * kSlabAlignment + 44 > bytes);  // and hardly less: 44 is one example
  }
  CHECK_THROWS_AS(make_head(HeadKind::kKnn, knn_settings(0)), CapacityError);
  CHECK_THROWS_AS(make_head(HeadKind::kKnn, knn_settings(1'000)), CapacityError);
}

TEST_CASE("knn is the same again from the same seed") {
  GaussianClasses world(testing::seed() + 1, 5, 20, 0.8);
  const Examples train = world.draw(2000);
  const Examples query = world.draw(50);
  std::vector<std::vector<float>> scores;
  for (const std::uint64_t seed : {7U, 7U, 8U}) {
    HeadSettings settings = knn_settings(6'000);
    settings.seed = seed;
    const auto head = make_head(HeadKind::kKnn, settings);
    testing::teach_all(*head, train, 32);
    scores.push_back(testing::scores_of(*head, query));
  }
  CHECK(scores[0] == scores[1]);
  CHECK(scores[0] != scores[2]);
}

TEST_CASE("knn keeps old classes when new ones come, one after the other") {
  GaussianClasses world(testing::seed() + 2, 5, 20, 1.5);
  const auto head = make_head(HeadKind::kKnn, knn_settings(6'000));  // about 110 examples
  for (std::uint32_t slot = 0; slot < 5; ++slot) {
    testing::teach_all(*head, world.draw(std::vector<std::uint32_t>(400, slot)), 32);
  }
  CHECK(testing::accuracy(*head, world.draw(300)) > 0.9);
}

TEST_CASE("knn with fewer examples than k asks those there are") {
  const auto head = make_head(HeadKind::kKnn, knn_settings(6'000));
  std::vector<float> z(20, 0.0F);
  z[3] = -1e30F;  // whose square is out of float's reach
  const std::vector<std::uint32_t> slot = {2};
  REQUIRE(head->teach(z, slot) == Status::kOk);
  std::vector<float> scores(5);
  REQUIRE(head->predict(z, scores) == Status::kOk);
  CHECK(scores[2] == doctest::Approx(1.0));
}

}  // namespace
}  // namespace jackdaw
