// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What holds for every head, whatever it computes.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "jackdaw/error.hpp"
#include "runtime/heads/gaussian_classes.hpp"
#include "support/allocation_counter.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

using testing::accuracy;
using testing::Examples;
using testing::GaussianClasses;

constexpr HeadKind kAll[] = {HeadKind::kNearestMean, HeadKind::kSlda, HeadKind::kKnn,
                             HeadKind::kVanilla, HeadKind::kTanh};

bool follows_paper(HeadKind kind) { return kind == HeadKind::kVanilla || kind == HeadKind::kTanh; }

HeadSettings small_settings() {
  HeadSettings settings;
  settings.dimensions = 24;
  settings.max_classes = 6;
  settings.max_batch = 16;
  settings.seed = testing::seed();
  settings.knn.buffer_bytes = 20'000;
  settings.linear.learning_rate = 1e-3F;
  return settings;
}

TEST_CASE("every head learns Gaussian classes") {
  GaussianClasses world(testing::seed() + 1, 6, 24, 1.5);
  const Examples train = world.draw(1500);
  const Examples test = world.draw(300);
  for (const HeadKind kind : kAll) {
    for (const bool cosine : {false, true}) {
      if (cosine && kind != HeadKind::kNearestMean) continue;
      CAPTURE(std::string(name_of(kind)));
      CAPTURE(cosine);
      HeadSettings settings = small_settings();
      settings.nearest_mean.cosine = cosine;
      const auto head = make_head(kind, settings);
      testing::teach_all(*head, train, 16);
      const double share = accuracy(*head, test);
      CAPTURE(share);
      // Chance is 0.17. The baselines' steps are all of one size, so they get less far.
      CHECK(share > (kind == HeadKind::kTanh ? 0.5 : kind == HeadKind::kVanilla ? 0.8 : 0.85));
    }
  }
}

TEST_CASE("classes that were not taught are masked, except in the paper's baselines") {
  GaussianClasses world(testing::seed() + 2, 6, 24, 1.5);
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    const auto head = make_head(kind, small_settings());
    const Examples query = world.draw(1);
    std::vector<float> scores(6);
    if (!follows_paper(kind)) {
      REQUIRE(head->predict(query.embeddings, scores) == Status::kOk);
      for (const float score : scores) CHECK(score == -std::numeric_limits<float>::infinity());
    }
    testing::teach_all(*head, world.draw(std::vector<std::uint32_t>(20, 1)), 16);
    testing::teach_all(*head, world.draw(std::vector<std::uint32_t>(20, 4)), 16);
    scores = testing::scores_of(*head, query);
    for (std::size_t c = 0; c < 6; ++c) {
      CHECK(std::isfinite(scores[c]) == (follows_paper(kind) || c == 1 || c == 4));
    }
  }
}

TEST_CASE("a call that is refused changes nothing") {
  GaussianClasses world(testing::seed() + 3, 6, 24, 1.5);
  const Examples train = world.draw(64);
  const Examples query = world.draw(4);
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    const auto head = make_head(kind, small_settings());
    testing::teach_all(*head, train, 16);
    const std::vector<float> before = testing::scores_of(*head, query);

    const std::vector<std::uint32_t> two = {0, 1};
    std::vector<float> z(48, 0.5F);
    CHECK(head->teach(Span<const float>(z).first(47), two) == Status::kWrongSize);
    CHECK(head->teach(Span<const float>(z).first(24), two) == Status::kWrongSize);
    CHECK(head->teach({}, {}) == Status::kWrongSize);
    const std::vector<float> many(17 * 24, 0.5F);
    CHECK(head->teach(many, std::vector<std::uint32_t>(17, 0)) == Status::kWrongSize);
    CHECK(head->teach(z, std::vector<std::uint32_t>{0, 6}) == Status::kNoSuchClass);
    z[47] = std::numeric_limits<float>::quiet_NaN();
    CHECK(head->teach(z, two) == Status::kNotFinite);
    z[47] = std::numeric_limits<float>::infinity();
    CHECK(head->teach(z, two) == Status::kNotFinite);

    std::vector<float> scores(12);
    CHECK(head->predict(z, scores) == Status::kNotFinite);
    z[47] = 0.5F;
    CHECK(head->predict(z, Span<float>(scores).first(6)) == Status::kWrongSize);
    CHECK(head->predict(z, Span<float>(scores).first(11)) == Status::kWrongSize);

    CHECK(head->refresh() == Status::kOk);
    CHECK(testing::scores_of(*head, query) == before);
  }
}

TEST_CASE("heads that need a direction refuse an embedding without one") {
  const std::vector<float> zero(24, 0.0F);
  const std::vector<std::uint32_t> slot = {0};
  HeadSettings settings = small_settings();
  CHECK(make_head(HeadKind::kKnn, settings)->teach(zero, slot) == Status::kZeroEmbedding);
  CHECK(make_head(HeadKind::kNearestMean, settings)->teach(zero, slot) == Status::kOk);
  settings.nearest_mean.cosine = true;
  CHECK(make_head(HeadKind::kNearestMean, settings)->teach(zero, slot) == Status::kZeroEmbedding);
}

TEST_CASE("a batch is answered as its examples are one by one") {
  GaussianClasses world(testing::seed() + 4, 6, 24, 1.5);
  const Examples train = world.draw(200);
  const Examples query = world.draw(16);
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    const auto head = make_head(kind, small_settings());
    testing::teach_all(*head, train, 7);
    std::vector<float> together(16 * 6);
    REQUIRE(head->predict(query.embeddings, together) == Status::kOk);
    CHECK(together == testing::scores_of(*head, query));
  }
}

TEST_CASE("nothing is allocated after construction") {
  GaussianClasses world(testing::seed() + 5, 6, 24, 1.5);
  const Examples train = world.draw(640);
  std::vector<float> scores(16 * 6);
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    const auto head = make_head(kind, small_settings());
    Status worst = Status::kOk;
    const std::uint64_t before = testing::allocations();
    for (std::size_t at = 0; at < train.count(); at += 16) {
      for (const Status s : {head->teach(train.batch(at, 16), train.labels(at, 16)),
                             head->refresh(), head->predict(train.batch(at, 16), scores)}) {
        if (s != Status::kOk) worst = s;
      }
    }
    const std::uint64_t after = testing::allocations();
    CHECK(worst == Status::kOk);
    CHECK(after == before);
  }
}

TEST_CASE("memory is planned by purpose, and the budget is kept") {
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    HeadSettings settings = small_settings();
    const auto head = make_head(kind, settings);
    std::uint64_t end = 0;
    for (const PlannedSection& section : head->memory().sections) {
      CHECK(section.offset >= end);
      CHECK(section.bytes > 0);
      CHECK(!section.purpose.empty());
      end = section.offset + section.bytes;
    }
    CHECK(head->memory_bytes() >= end);
    settings.budget_bytes = head->memory_bytes();
    CHECK_NOTHROW(make_head(kind, settings));
    settings.budget_bytes = head->memory_bytes() - 1;
    CHECK_THROWS_AS(make_head(kind, settings), CapacityError);
  }
}

TEST_CASE("settings that make no sense are refused") {
  for (const HeadKind kind : kAll) {
    CAPTURE(std::string(name_of(kind)));
    for (auto size :
         {&HeadSettings::dimensions, &HeadSettings::max_classes, &HeadSettings::max_batch}) {
      HeadSettings settings = small_settings();
      settings.*size = 0;
      CHECK_THROWS_AS(make_head(kind, settings), SettingsError);
    }
    HeadSettings settings = small_settings();
    settings.knn.buffer_bytes = std::uint64_t{1} << 62U;
    settings.dimensions = settings.max_classes = 0xFFFFFFFFU;
    CHECK_THROWS_AS(make_head(kind, settings), Error);
  }
  HeadSettings settings = small_settings();
  settings.slda.shrinkage = 0.0F;
  CHECK_THROWS_AS(make_head(HeadKind::kSlda, settings), SettingsError);
  settings.linear.tau = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(make_head(HeadKind::kTanh, settings), SettingsError);
  settings.linear.learning_rate = 0.0F;
  CHECK_THROWS_AS(make_head(HeadKind::kVanilla, settings), SettingsError);
  settings.knn.nearest = 0;
  CHECK_THROWS_AS(make_head(HeadKind::kKnn, settings), SettingsError);
}

TEST_CASE("heads are found by the name they answer to") {
  for (const HeadKind kind : kAll) {
    CHECK(head_kind(name_of(kind)) == kind);
    CHECK(std::string(make_head(kind, small_settings())->name()) == name_of(kind));
  }
  CHECK_THROWS_WITH_AS(head_kind("svm"), doctest::Contains("ncm, slda, knn, vanilla, tanh"),
                       SettingsError);
}

}  // namespace
}  // namespace jackdaw
