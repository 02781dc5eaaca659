// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <vector>

#include "jackdaw/head.hpp"

namespace jackdaw {
namespace {

std::vector<float> scores_after(bool cosine, const std::vector<float>& taught,
                                const std::vector<std::uint32_t>& slots,
                                const std::vector<float>& query) {
  HeadSettings settings;
  settings.dimensions = 2;
  settings.max_classes = 2;
  settings.nearest_mean.cosine = cosine;
  const auto head = make_head(HeadKind::kNearestMean, settings);
  REQUIRE(head->teach(taught, slots) == Status::kOk);
  std::vector<float> scores(2);
  REQUIRE(head->predict(query, scores) == Status::kOk);
  return scores;
}

TEST_CASE("nearest mean: minus the squared distance to the mean") {
  // Means (1,0) and (3,3); from (1,2) they are at squared distance 4 and 4 + 1.
  const auto scores = scores_after(false, {2, 0, 0, 0, 3, 3}, {0, 0, 1}, {1, 2});
  CHECK(scores[0] == doctest::Approx(-4.0));
  CHECK(scores[1] == doctest::Approx(-5.0));
}

TEST_CASE("nearest mean by cosine: examples count alike, however long they are") {
  // Unit examples (1,0) and (0,1) of class 0 sum to (1,1); class 1 is (0.6,-0.8). For (30,40), unit
  // (0.6,0.8): 1.4/sqrt(2) and 0.36 - 0.64.
  const auto scores = scores_after(true, {2, 0, 0, 50, 3, -4}, {0, 0, 1}, {30, 40});
  CHECK(scores[0] == doctest::Approx(0.98994949));
  CHECK(scores[1] == doctest::Approx(-0.28));
}

}  // namespace
}  // namespace jackdaw
