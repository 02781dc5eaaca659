// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// State that does not belong to the settings is refused, with a reason, and left as it was.
#include "jackdaw/error.hpp"
#include "runtime/learner/learner_support.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

std::string refusal(const LearnerSettings& settings) {
  try {
    Learner learner(settings);
  } catch (const StateError& error) {
    return error.what();
  }
  return "it was not refused";
}

void check_refused(const LearnerSettings& settings, const char* word) {
  const auto files = files_in(settings.folder);
  const std::string message = refusal(settings);
  CAPTURE(message);
  CHECK(message.find(word) != std::string::npos);
  CHECK(message.find(settings.folder) != std::string::npos);
  CHECK(files_in(settings.folder) == files);
}

TEST_CASE("State of another encoder or other settings is refused, untouched") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"));
  World world = small_world(50);
  Contents before;
  {
    Learner learner(settings);
    teach(learner, world, 0, 3);
    before = contents_of(learner);
  }
  LearnerSettings other = settings;
  SUBCASE("encoder") { other.encoder = "another"; }
  SUBCASE("dimensions") { other.ensemble.dimensions = 23; }
  SUBCASE("classifiers") { other.ensemble.classifiers = 49; }
  SUBCASE("nearest") { other.ensemble.nearest = 6; }
  SUBCASE("store") { other.ensemble.store = StoreType::kHalf; }
  SUBCASE("profile") { other.ensemble.profile = Profile::kSeed; }
  SUBCASE("seed of the keys") { other.ensemble.seed = 1; }
  SUBCASE("levels") { other.ensemble.default_rule.levels = 4.5F; }
  SUBCASE("keys") { other.keys.assign(48 * 24, 1); }
  check_refused(other, "another encoder or other settings");
  Learner learner(settings);
  CHECK(contents_of(learner) == before);
}

TEST_CASE("State of profile seed from other initial weights is refused, untouched") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"), Profile::kSeed);
  World world = small_world(51);
  {
    Learner learner(settings);
    teach(learner, world, 0, 3);
  }
  SUBCASE("seed") { settings.ensemble.seed = 1; }
  SUBCASE("learning rate") { settings.ensemble.seed_rule.learning_rate = 0.02F; }
  SUBCASE("fan-in") { settings.ensemble.seed_rule.fan_in_of_paper = true; }
  check_refused(settings, "another encoder or other settings");
}

TEST_CASE("Settings that only say how to answer may change") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"));
  World world = small_world(52);
  Contents before;
  {
    Learner learner(settings);
    teach(learner, world, 0, 3);
    before = contents_of(learner);
  }
  settings.ensemble.default_rule.lambda = 3.0F;
  settings.ensemble.default_rule.temperature = 0.5F;
  settings.answer.unknown_below = 0.5F;
  {
    Learner learner(settings);
    CHECK(contents_of(learner) == before);
  }
  CHECK(read_settings(settings.folder).ensemble.default_rule.lambda == 3.0F);
}

TEST_CASE("Fewer classes than the state holds are refused, untouched") {
  for (const bool with_snapshot : {false, true}) {
    TemporaryFolder folder;
    LearnerSettings settings = small_in(folder.path("state"));
    World world = small_world(53);
    Contents before;
    {
      Learner learner(settings);
      for (std::size_t c = 0; c < 5; ++c) teach(learner, world, c, 2);
      if (with_snapshot) learner.snapshot();
      if (with_snapshot) learner.snapshot();
      before = contents_of(learner);
    }
    for (const std::uint32_t classes : {1U, 4U}) {
      LearnerSettings fewer = settings;
      fewer.ensemble.max_classes = classes;
      check_refused(fewer, "class");
    }
    Learner learner(settings);
    CHECK(contents_of(learner) == before);
  }
}

TEST_CASE("A second learner on the same folder is refused while the first one lives") {
  TemporaryFolder folder;
  const LearnerSettings settings = small_in(folder.path("state"));
  World world = small_world(54);
  {
    Learner first(settings);
    teach(first, world, 0, 2);
    REQUIRE(first.flush(20.0));
    check_refused(settings, "in use");
    teach(first, world, 0, 1);
  }
  Learner second(settings);
  CHECK(examples_of(second, World::name(0)) == 3);
}

TEST_CASE("A folder that cannot be is refused, and so are a flush and a snapshot without one") {
  LearnerSettings settings = small();
  settings.folder = "/dev/null/state";
  CHECK(refusal(settings).find("/dev/null/state") != std::string::npos);
  Learner learner(small());
  CHECK_FALSE(learner.flush(0.1));
  CHECK_THROWS_AS(learner.snapshot(), StateError);
}

TEST_CASE("An encoder's name that is not UTF-8 is refused before a folder is made") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"));
  settings.encoder = "\xFF";
  CHECK_THROWS_AS(Learner{settings}, SettingsError);
  CHECK_FALSE(std::filesystem::exists(settings.folder));
}

}  // namespace
}  // namespace jackdaw::testing
