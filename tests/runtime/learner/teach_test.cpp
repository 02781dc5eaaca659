// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Teaching by name, and what is refused.
#include <cmath>
#include <limits>

#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("Classes are learned from a few examples") {
  for (const Profile profile : kProfiles) {
    CAPTURE(static_cast<int>(profile));
    Learner learner(small(profile));
    World world = small_world();
    for (int round = 0; round < 20; ++round) {
      for (std::size_t c = 0; c < 6; ++c) teach(learner, world, c);
    }
    REQUIRE(learner.refresh() == Status::kOk);
    int right = 0;
    for (int i = 0; i < 300; ++i) {
      const std::size_t c = static_cast<std::size_t>(i) % 6;
      right += answer_of(learner, world.draw(c)).best().label.text() == World::name(c);
    }
    MESSAGE(std::string(name_of(profile)) << ": " << right << " of 300");
    CHECK(right >= 285);
  }
}

TEST_CASE("The counts of classes and statistics say what was taught") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    CHECK(learner.statistics().examples == 0);
    CHECK(learner.classes().empty());
    teach(learner, world, 2, 3);
    teach(learner, world, 0, 2);
    REQUIRE(learner.add_class("empty") == Status::kOk);
    const std::vector<ClassInfo> classes = learner.classes();
    REQUIRE(classes.size() == 3);
    CHECK(classes[0].label.text() == World::name(2));
    CHECK(classes[0].examples == 3);
    CHECK(classes[1].slot == 1);
    CHECK(classes[1].examples == 2);
    CHECK(classes[2].examples == 0);
    CHECK(classes[2].clipped == 0);
    const LearnerStatistics statistics = learner.statistics();
    CHECK(statistics.examples == 5);
    CHECK(statistics.last_sequence == 5 + 3);  // opening a class is a change, too
    CHECK(statistics.durable_sequence == 0);   // in memory only
    CHECK(statistics.problem.empty());
    CHECK_FALSE(statistics.backend.empty());
  }
}

TEST_CASE("Teaching one class changes no other class") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    for (std::size_t c = 0; c < 3; ++c) teach(learner, world, c, 5);
    Contents before = contents_of(learner);
    teach(learner, world, 1, 10);
    Contents after = contents_of(learner);
    CHECK(before.classes[World::name(1)] != after.classes[World::name(1)]);
    before.classes.erase(World::name(1));
    after.classes.erase(World::name(1));
    CHECK(before.classes == after.classes);
  }
}

TEST_CASE("One class too many is refused and nothing is lost") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    for (std::size_t c = 0; c < 6; ++c) teach(learner, world, c, 2);
    const Contents before = contents_of(learner);
    CHECK(learner.teach(world.draw(6), World::name(6)) == Status::kNoClassFree);
    CHECK(learner.add_class("another") == Status::kNoClassFree);
    CHECK(learner.move(1, "another") == Status::kNoClassFree);
    CHECK(contents_of(learner) == before);
    teach(learner, world, 5);  // and the known ones go on
    REQUIRE(learner.forget(World::name(3)) == Status::kOk);
    teach(learner, world, 6);  // now there is room
    CHECK(contents_of(learner).slots[World::name(6)] == 3);
  }
}

TEST_CASE("An embedding that is not finite, has no direction or the wrong size changes nothing") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    teach(learner, world, 0, 3);
    const Contents before = contents_of(learner);
    Answer answer = learner.make_answer();
    const auto refuse = [&](const std::vector<float>& embedding, Status status) {
      CHECK(learner.teach(embedding, World::name(0)) == status);
      CHECK(learner.teach(embedding, "new") == status);  // must not leave an empty class behind
      CHECK(learner.predict(embedding, answer) == status);
    };
    for (const float value : {std::nanf(""), std::numeric_limits<float>::infinity(),
                              -std::numeric_limits<float>::infinity()}) {
      for (const std::size_t at : {0U, 11U, 23U}) {
        std::vector<float> embedding = world.draw(0);
        embedding[at] = value;
        refuse(embedding, Status::kNotFinite);
      }
    }
    refuse(std::vector<float>(24, 0.0F), Status::kZeroEmbedding);
    refuse(std::vector<float>(23, 1.0F), Status::kWrongSize);
    refuse(std::vector<float>(25, 1.0F), Status::kWrongSize);
    refuse({}, Status::kWrongSize);
    CHECK(contents_of(learner) == before);
  }
}

TEST_CASE("A new name whose first example is refused by the rule makes no class") {
  // Profile seed with all classifiers answering: similarities can sum to less than 0.
  LearnerSettings settings = small(Profile::kSeed);
  settings.ensemble.classifiers = settings.ensemble.nearest = 8;
  Learner learner(settings);
  World world = small_world();
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "new " + std::to_string(i);
    const std::size_t before = learner.classes().size();
    const Status status = learner.teach(world.draw(static_cast<std::size_t>(i) % 10), name);
    if (status == Status::kOk) REQUIRE(learner.forget(name) == Status::kOk);
    if (status != Status::kNoSimilarity) continue;
    ++refused;
    CHECK(learner.classes().size() == before);
  }
  CHECK(refused > 0);
}

TEST_CASE("Order does not matter") {
  for (const Profile profile : kProfiles) {
    Learner forward(small(profile));
    Learner backward(small(profile));
    World world = small_world();
    std::vector<std::pair<std::vector<float>, std::string>> stream;
    for (int i = 0; i < 60; ++i) {
      const std::size_t c = world.below(4);
      stream.emplace_back(world.draw(c), World::name(c));
    }
    for (std::size_t c = 0; c < 4; ++c) {  // the same slots: profile seed draws weights for each
      REQUIRE(forward.add_class(World::name(c)) == Status::kOk);
      REQUIRE(backward.add_class(World::name(c)) == Status::kOk);
    }
    for (const auto& [embedding, label] : stream)
      REQUIRE(forward.teach(embedding, label) == Status::kOk);
    std::reverse(stream.begin(), stream.end());
    for (const auto& [embedding, label] : stream)
      REQUIRE(backward.teach(embedding, label) == Status::kOk);
    CHECK(contents_of(forward).same_knowledge(contents_of(backward)));
  }
}

}  // namespace
}  // namespace jackdaw::testing
