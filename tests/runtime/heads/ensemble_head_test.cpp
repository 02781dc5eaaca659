// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "runtime/heads/gaussian_classes.hpp"
#include "support/allocation_counter.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

using testing::Examples;
using testing::GaussianClasses;

EnsembleSettings small_ensemble(Profile profile) {
  EnsembleSettings settings;
  settings.profile = profile;
  settings.classifiers = 64;
  settings.nearest = 8;
  settings.dimensions = 24;
  settings.max_classes = 6;
  settings.max_batch = 16;
  settings.seed = testing::seed();
  settings.seed_rule.learning_rate = 0.01F;  // else so few examples drown in the initial weights
  return settings;
}

TEST_CASE("the ensemble is a head like the others") {
  GaussianClasses world(testing::seed() + 1, 4, 24, 1.5);
  const Examples train = world.draw(800);
  const Examples test = world.draw(300);
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(std::string(name_of(profile)));
    const auto head = make_ensemble_head(small_ensemble(profile), Device::kCpu);
    CHECK(std::string(head->name()) == "ensemble");
    testing::teach_all(*head, train, 16);
    const double share = testing::accuracy(*head, test);
    CAPTURE(share);
    CHECK(share > 0.8);  // chance is 0.25
    const std::vector<float> scores = testing::scores_of(*head, test);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      CHECK((scores[i] == -std::numeric_limits<float>::infinity()) == (i % 6 >= 4));
    }
  }
}

TEST_CASE("the ensemble's head refuses what the others refuse") {
  const auto head = make_ensemble_head(small_ensemble(Profile::kDefault), Device::kCpu);
  std::vector<float> z(48, 0.5F);
  const std::vector<std::uint32_t> two = {0, 1};
  CHECK(head->teach(Span<const float>(z).first(47), two) == Status::kWrongSize);
  CHECK(head->teach({}, {}) == Status::kWrongSize);
  CHECK(head->teach(z, std::vector<std::uint32_t>{0, 6}) == Status::kNoSuchClass);
  z[47] = std::numeric_limits<float>::quiet_NaN();
  CHECK(head->teach(z, two) == Status::kNotFinite);
  std::vector<float> scores(12);
  z[47] = 0.5F;
  REQUIRE(head->predict(z, scores) == Status::kOk);  // nothing of the above was learned
  for (const float score : scores) CHECK(score == -std::numeric_limits<float>::infinity());
  CHECK(head->predict(z, Span<float>(scores).first(11)) == Status::kWrongSize);
}

TEST_CASE("the ensemble's head allocates nothing after construction, and plans what it uses") {
  GaussianClasses world(testing::seed() + 2, 4, 24, 1.5);
  const Examples train = world.draw(320);
  std::vector<float> scores(16 * 6);
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(std::string(name_of(profile)));
    const EnsembleSettings settings = small_ensemble(profile);
    const auto head = make_ensemble_head(settings, Device::kCpu);
    CHECK(head->memory_bytes() > plan_memory(settings).total_bytes);
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

}  // namespace
}  // namespace jackdaw
