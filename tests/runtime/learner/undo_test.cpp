// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Taking back the last examples, exactly.
#include <atomic>
#include <thread>

#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("Undo restores every section bit for bit") {
  for (const Profile profile : kProfiles) {
    for (const StoreType store : {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32}) {
      LearnerSettings settings = small(profile);
      settings.ensemble.store = store;
      Learner learner(settings);
      World world = small_world(2);
      for (std::size_t c = 0; c < 4; ++c) teach(learner, world, c, 3);
      std::vector<Contents> history;
      for (int i = 0; i < 10; ++i) {
        history.push_back(contents_of(learner));
        teach(learner, world, world.below(4));
      }
      while (!history.empty()) {
        REQUIRE(learner.undo(1) == Status::kOk);
        REQUIRE(contents_of(learner).same_knowledge(history.back()));
        history.pop_back();
      }
    }
  }
}

TEST_CASE("Undoing several at once equals undoing them one by one") {
  Learner together(small());
  Learner apart(small());
  World world = small_world(3);
  for (int i = 0; i < 12; ++i) {
    const std::size_t c = world.below(3);
    const std::vector<float> embedding = world.draw(c);
    REQUIRE(together.teach(embedding, World::name(c)) == Status::kOk);
    REQUIRE(apart.teach(embedding, World::name(c)) == Status::kOk);
  }
  REQUIRE(together.undo(5) == Status::kOk);
  for (int i = 0; i < 5; ++i) REQUIRE(apart.undo(1) == Status::kOk);
  CHECK(contents_of(together) == contents_of(apart));
  CHECK(together.recent().size() == 7);
}

TEST_CASE("Undoing the first example of a class leaves the class, empty") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    teach(learner, world, 0, 2);
    REQUIRE(learner.add_class(World::name(1)) == Status::kOk);
    const Contents before = contents_of(learner);
    teach(learner, world, 1);
    REQUIRE(learner.undo(1) == Status::kOk);
    CHECK(contents_of(learner).same_knowledge(before));
    CHECK(examples_of(learner, World::name(1)) == 0);
    if (profile == Profile::kDefault) {
      CHECK(answer_of(learner, world.draw(1)).best().label.text() == World::name(0));
    }
  }
}

TEST_CASE("A range of sequence numbers is undone and the examples around it stay") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    Learner expected(small(profile));
    World world = small_world(4);
    for (std::size_t c = 0; c < 3; ++c) {
      REQUIRE(learner.add_class(World::name(c)) == Status::kOk);
      REQUIRE(expected.add_class(World::name(c)) == Status::kOk);
    }
    const std::uint64_t start = learner.statistics().last_sequence;
    for (std::uint64_t i = 1; i <= 10; ++i) {
      const std::size_t c = world.below(3);
      const std::vector<float> embedding = world.draw(c);
      REQUIRE(learner.teach(embedding, World::name(c)) == Status::kOk);
      if (i < 4 || i > 7) REQUIRE(expected.teach(embedding, World::name(c)) == Status::kOk);
    }
    REQUIRE(learner.undo_range(start + 4, start + 7) == Status::kOk);
    CHECK(contents_of(learner).same_knowledge(contents_of(expected)));
    std::vector<std::uint64_t> left;
    for (const RecentExample& example : learner.recent()) left.push_back(example.sequence - start);
    CHECK(left == std::vector<std::uint64_t>{1, 2, 3, 8, 9, 10});
    CHECK(learner.undo_range(start + 4, start + 7) == Status::kNothingToUndo);
    CHECK(learner.undo_range(start + 7, start + 4) == Status::kNothingToUndo);
    CHECK(learner.undo_range(start + 100, UINT64_MAX) == Status::kNothingToUndo);
  }
}

TEST_CASE("More than the ring holds cannot be undone, and then nothing is") {
  Learner learner(small());  // undo_depth 16
  World world = small_world();
  teach(learner, world, 0, 4);
  const Contents oldest = contents_of(learner);
  for (int i = 0; i < 16; ++i) teach(learner, world, world.below(3));
  CHECK(learner.recent().size() == 16);
  const Contents before = contents_of(learner);
  CHECK(learner.undo(17) == Status::kNothingToUndo);
  CHECK(learner.undo(0) == Status::kNothingToUndo);
  CHECK(learner.undo(UINT32_MAX) == Status::kNothingToUndo);
  CHECK(contents_of(learner) == before);
  REQUIRE(learner.undo(16) == Status::kOk);
  CHECK(contents_of(learner).classes[World::name(0)] == oldest.classes.at(World::name(0)));
  CHECK(contents_of(learner).shared == oldest.shared);
  CHECK(learner.undo(1) == Status::kNothingToUndo);
  CHECK(examples_of(learner, World::name(0)) == 4);  // the older ones stay taught
}

TEST_CASE("The ring goes on after it was emptied, filled and emptied again") {
  Learner learner(small());
  World world = small_world();
  for (int round = 0; round < 5; ++round) {
    teach(learner, world, 0, 11);
    REQUIRE(learner.undo(7) == Status::kOk);
    CHECK(examples_of(learner, World::name(0)) == 4 * (round + 1));
  }
  CHECK(learner.recent().size() == 9);  // 16 at most, and then 7 were undone
}

TEST_CASE("Without an undo ring nothing can be undone and everything else works") {
  for (const Profile profile : kProfiles) {
    LearnerSettings settings = small(profile);
    settings.ensemble.undo_depth = 0;
    Learner learner(settings);
    World world = small_world();
    teach(learner, world, 0, 3);
    CHECK(learner.recent().empty());
    CHECK(learner.undo(1) == Status::kNothingToUndo);
    CHECK(learner.undo_range(0, UINT64_MAX) == Status::kNothingToUndo);
    CHECK(learner.move(1, "other") == Status::kNothingToUndo);
    CHECK(learner.forget(World::name(0)) == Status::kOk);
  }
}

TEST_CASE("The last examples are listed oldest first under their present names") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0);  // 1 opens, 2 teaches
  teach(learner, world, 1);  // 3, 4
  teach(learner, world, 0);  // 5
  REQUIRE(learner.rename(World::name(0), "renamed") == Status::kOk);
  REQUIRE(learner.move_range(4, 4, "moved") == Status::kOk);
  const std::vector<RecentExample> recent = learner.recent();
  REQUIRE(recent.size() == 3);
  CHECK(recent[0].sequence == 2);
  CHECK(recent[1].sequence == 4);
  CHECK(recent[2].sequence == 5);
  CHECK(recent[0].label.text() == "renamed");
  CHECK(recent[1].label.text() == "moved");
  CHECK(recent[2].label.text() == "renamed");
}

TEST_CASE("Undo takes back one's own number of examples while another thread teaches") {
  LearnerSettings settings = small();
  settings.ensemble.undo_depth = 4096;
  Learner learner(settings);
  World world = small_world();
  teach(learner, world, 0, 100);
  std::atomic<int> undone{0};
  std::thread other([&] {
    for (int i = 0; i < 300; ++i) {
      if (learner.undo(1) == Status::kOk) ++undone;
    }
  });
  int taught = 0;
  for (int i = 0; i < 300; ++i)
    taught += learner.teach(world.draw(0), World::name(0)) == Status::kOk;
  other.join();
  CHECK(taught == 300);
  CHECK(examples_of(learner, World::name(0)) == 100 + taught - undone);
}

}  // namespace
}  // namespace jackdaw::testing
