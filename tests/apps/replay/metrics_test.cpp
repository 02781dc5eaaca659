// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "replay/metrics.hpp"
#include "replay/results.hpp"
#include "support/seed.hpp"

namespace jackdaw::replay {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

TEST_CASE("the best class answers, ties go to the lower one, what was not taught never does") {
  const std::vector<ClassScore> scores{{1.0F, 0.1F}, {3.0F, 0.7F}, {3.0F, 0.9F}, {kNone, 0.0F}};
  const Verdict verdict = verdict_of(scores, Confidence::kSoftmax, 1.0F);
  CHECK(verdict.label == 1);
  CHECK(verdict.unknown == 0.7F);
  CHECK(static_cast<double>(verdict.confidence) == doctest::Approx(1.0 / (2.0 + std::exp(-2.0))));
  CHECK(static_cast<double>(verdict_of(scores, Confidence::kShare, 1.0F).confidence) ==
        doctest::Approx(3.0 / 7.0));
  const std::vector<ClassScore> nothing{{kNone, 0.0F}, {kNone, 0.0F}};
  CHECK(verdict_of(nothing, Confidence::kSoftmax, 1.0F).label == Verdict::kNone);
}

std::vector<Verdict> answers(const std::vector<std::uint32_t>& labels, float confidence = 1.0F) {
  std::vector<Verdict> out;
  for (const std::uint32_t label : labels) out.push_back({label, confidence, 0.0F});
  return out;
}

TEST_CASE("accuracy is the mean over classes, not over pictures") {
  const std::vector<std::uint32_t> labels{0, 0, 0, 0, 1};
  const auto accuracies = class_accuracies(answers({0, 0, 0, 1, 1}), labels, 3);
  CHECK(accuracies == std::vector<double>{75.0, 100.0, 0.0});
  CHECK(mean_of(accuracies) == doctest::Approx(175.0 / 3.0));
}

TEST_CASE("forgetting is the fall from the best moment to the last, over classes") {
  CHECK(forgetting({{50, 0}, {90, 10}, {80, 60}, {70, 60}}) == doctest::Approx(10.0));
  CHECK(forgetting({{50, 60}}) == 0.0);
  CHECK(class_forgetting({{90, 0}, {70, 5}}) == std::vector<double>{20.0, 0.0});
}

TEST_CASE("auroc counts the pairs that are in order, ties half") {
  CHECK(auroc({3, 4}, {1, 2}) == 1.0);
  CHECK(auroc({1, 2}, {3, 4}) == 0.0);
  CHECK(auroc({1, 3}, {2, 3}) == doctest::Approx((0.0 + 0.0 + 1.0 + 0.5) / 4.0));
  CHECK(auroc({}, {1}) == 0.5);
  std::mt19937_64 random(testing::seed());
  std::vector<float> a, b;
  for (int i = 0; i < 60; ++i) a.push_back(static_cast<float>(random() % 20));
  for (int i = 0; i < 40; ++i) b.push_back(static_cast<float>(random() % 15));
  double pairs = 0.0;
  for (const float x : a) {
    for (const float y : b) pairs += x > y ? 1.0 : x == y ? 0.5 : 0.0;
  }
  CHECK(auroc(a, b) == doctest::Approx(pairs / 2400.0));
}

TEST_CASE("calibration error is the gap between confidence and share right, bin by bin") {
  const std::vector<std::uint32_t> labels{0, 0, 0, 0};
  CHECK(calibration_error(answers({0, 0, 0, 0}), labels) == doctest::Approx(0.0));
  CHECK(calibration_error(answers({1, 1, 1, 1}), labels) == doctest::Approx(100.0));
  CHECK(calibration_error(answers({0, 0, 0, 1}, 0.75F), labels) == doctest::Approx(0.0));
  CHECK(calibration_error(answers({0, 0, 1, 1}, 0.9F), labels) == doctest::Approx(40.0));
}

TEST_CASE("a spread is mean and sample deviation") {
  const Spread spread = spread_of({1.0, 2.0, 3.0, 4.0});
  CHECK(spread.mean == 2.5);
  CHECK(spread.std == doctest::Approx(std::sqrt(5.0 / 3.0)));
  CHECK(spread_of({7.0}).std == 0.0);
}

}  // namespace
}  // namespace jackdaw::replay
