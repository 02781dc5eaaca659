// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What a folder gives back.
#include "runtime/learner/learner_support.hpp"
#include "runtime/learner/operations.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("Everything is bit-identical after reopening") {
  for (const Profile profile : kProfiles) {
    for (const bool with_snapshot : {false, true}) {
      CAPTURE(with_snapshot);
      TemporaryFolder folder;
      Learner twin(small(profile));
      Contents before;
      Bytes names;
      {
        Learner learner(small_in(folder.path("state"), profile));
        const Operations operations(seed() + 1, 24);
        for (std::uint64_t i = 0; i < 200; ++i) {
          const Status status = operations.apply(i, learner);
          REQUIRE(operations.apply(i, twin) == status);
          if (with_snapshot && i == 120) learner.snapshot();
        }
        REQUIRE(learner.flush(20.0));
        const LearnerStatistics statistics = learner.statistics();
        CHECK(statistics.durable_sequence == statistics.last_sequence);
        before = contents_of(learner);
        names = names_of(learner);
      }
      CHECK(before == contents_of(twin));
      Learner learner(small_in(folder.path("state"), profile));
      CHECK(contents_of(learner) == before);
      CHECK(names_of(learner) == names);
      CHECK(learner.statistics().durable_sequence == before.last_sequence);
      // The answers, too: the refresh is done on loading.
      World world = small_world(30);
      const std::vector<float> query = world.draw(0);
      REQUIRE(twin.refresh() == Status::kOk);
      const Answer a = answer_of(learner, query);
      const Answer b = answer_of(twin, query);
      REQUIRE(a.ranked.size() == b.ranked.size());
      for (std::size_t i = 0; i < a.ranked.size(); ++i) {
        CHECK(a.ranked[i].label == b.ranked[i].label);
        CHECK(a.ranked[i].score == b.ranked[i].score);
      }
      CHECK(a.unknown == b.unknown);
    }
  }
}

TEST_CASE("Undo and move work across a restart, and sequence numbers go on") {
  TemporaryFolder folder;
  World world = small_world(31);
  Contents before;
  {
    Learner learner(small_in(folder.path("state")));
    teach(learner, world, 0, 3);
    before = contents_of(learner);
    teach(learner, world, 0, 2);
  }
  {
    Learner learner(small_in(folder.path("state")));
    REQUIRE(learner.recent().size() == 5);
    REQUIRE(learner.undo(2) == Status::kOk);
    CHECK(contents_of(learner).same_knowledge(before));
    CHECK(learner.statistics().last_sequence == before.last_sequence + 4);
    REQUIRE(learner.move(1, "other") == Status::kOk);
  }
  Learner learner(small_in(folder.path("state")));
  CHECK(examples_of(learner, World::name(0)) == 2);
  CHECK(examples_of(learner, "other") == 1);
  REQUIRE(learner.undo(3) == Status::kOk);
  CHECK(learner.statistics().examples == 0);
}

TEST_CASE("A folder opens with room for more classes, and a copy of it then has the room, too") {
  TemporaryFolder folder;
  World world = small_world(32);
  LearnerSettings settings = small_in(folder.path("state"));
  {
    Learner learner(settings);
    for (std::size_t c = 0; c < 6; ++c) teach(learner, world, c, 2);
  }
  settings.ensemble.max_classes = 9;
  settings.ensemble.undo_depth = 20;
  settings.ensemble.contexts = 2;
  Contents before;
  {
    Learner learner(settings);
    CHECK(learner.classes().size() == 6);
    for (std::size_t c = 6; c < 9; ++c) teach(learner, world, c, 2);
    before = contents_of(learner);
  }
  Learner learner(settings);
  CHECK(contents_of(learner) == before);
  CHECK(read_settings(settings.folder).ensemble.max_classes == 9);
  Learner copy = load_copy(settings.folder);
  CHECK(contents_of(copy) == before);
}

TEST_CASE("A folder opens with fewer classes if they are enough") {
  TemporaryFolder folder;
  World world = small_world(33);
  LearnerSettings settings = small_in(folder.path("state"));
  Contents before;
  {
    Learner learner(settings);
    teach(learner, world, 0, 3);
    teach(learner, world, 1, 3);
    learner.snapshot();
    before = contents_of(learner);
  }
  settings.ensemble.max_classes = 2;
  Learner learner(settings);
  CHECK(contents_of(learner) == before);
}

void check_shorter_ring(std::uint32_t depth) {
  TemporaryFolder folder;
  World world = small_world(34);
  LearnerSettings settings = small_in(folder.path("state"));
  settings.ensemble.undo_depth = depth;
  Contents before;
  {
    Learner learner(settings);
    teach(learner, world, 0, static_cast<int>(depth));
    learner.snapshot();
    before = contents_of(learner);
  }
  settings.ensemble.undo_depth = 5;
  Learner learner(settings);
  CHECK(contents_of(learner).same_knowledge(before));
  REQUIRE(learner.recent().size() == 5);
  CHECK(learner.recent().back().sequence == before.last_sequence);
  for (const auto& [name, content] : files_in(settings.folder)) {
    CHECK(name.find("broken") == std::string::npos);
  }
}

TEST_CASE("A folder opens with a shorter undo ring and keeps the newest examples") {
  check_shorter_ring(16);
}

TEST_CASE("... also if the old ring had more bytes than a class") { check_shorter_ring(600); }

TEST_CASE("Keys of one's own are kept with the state") {
  TemporaryFolder folder;
  World world = small_world(35);
  LearnerSettings settings = small_in(folder.path("state"));
  settings.keys.resize(48 * 24);
  for (std::size_t i = 0; i < settings.keys.size(); ++i) {
    settings.keys[i] = static_cast<std::int8_t>(static_cast<int>(world.below(255)) - 127);
  }
  Learner learner(settings);
  teach(learner, world, 0, 3);
  REQUIRE(learner.flush(20.0));
  Learner copy = load_copy(settings.folder);
  CHECK(copy.settings().keys == settings.keys);
  CHECK(contents_of(copy) == contents_of(learner));
}

TEST_CASE("Settings come back as they were given") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"), Profile::kSeed);
  settings.ensemble.store = StoreType::kHalf;
  settings.ensemble.seed = 0xFFFFFFFFFFFFFFFFU;
  settings.ensemble.seed_rule = {0.0123F, 77.7F, true};
  settings.ensemble.default_rule = {3.3F, 2.2F, 5.5F, 11.0F, 0.77F, 4.4F, 9.9F, 0.11F, 0.66F};
  settings.answer.unknown_below = 0.123F;
  settings.encoder = "an encoder \"quoted\" \xE2\x98\x95";
  const Learner learner(settings);
  const LearnerSettings back = read_settings(settings.folder);
  CHECK(settings_to_json(back) == settings_to_json(settings));
  CHECK(back.encoder == settings.encoder);
  CHECK(back.ensemble.profile == Profile::kSeed);
  CHECK(back.ensemble.store == StoreType::kHalf);
  CHECK(back.ensemble.classifiers == 48);
  CHECK(back.ensemble.nearest == 7);
  CHECK(back.ensemble.dimensions == 24);
  CHECK(back.ensemble.max_classes == 6);
  CHECK(back.ensemble.undo_depth == 16);
  CHECK(back.ensemble.seed == settings.ensemble.seed);
  CHECK(back.ensemble.seed_rule.learning_rate == 0.0123F);
  CHECK(back.ensemble.seed_rule.tau == 77.7F);
  CHECK(back.ensemble.seed_rule.fan_in_of_paper);
  const DefaultRule& rule = back.ensemble.default_rule;
  CHECK(rule.levels == 3.3F);
  CHECK(rule.lambda == 2.2F);
  CHECK(rule.offset_examples == 5.5F);
  CHECK(rule.prior_examples == 11.0F);
  CHECK(rule.prior_variance == 0.77F);
  CHECK(rule.shrink_examples == 4.4F);
  CHECK(rule.pool_examples == 9.9F);
  CHECK(rule.least_norm == 0.11F);
  CHECK(rule.temperature == 0.66F);
  CHECK(back.answer.unknown_below == 0.123F);
}

TEST_CASE(
    "What an older version's settings do not hold is as it is now; what only they hold is left") {
  const std::string text = R"({"profile": "default", "store": "half", "dimensions": 24,
                              "default_rule": {"lambda": 3.0, "shrink_dimensions": 4.0}})";
  const LearnerSettings settings =
      settings_from_json({reinterpret_cast<const std::byte*>(text.data()), text.size()}, "a file");
  CHECK(settings.ensemble.dimensions == 24);
  CHECK(settings.ensemble.default_rule.lambda == 3.0F);
  CHECK(settings.ensemble.default_rule.shrink_examples == DefaultRule{}.shrink_examples);
}

}  // namespace
}  // namespace jackdaw::testing
