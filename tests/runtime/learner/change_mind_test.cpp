// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Moving examples, forgetting and renaming classes.
#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("Moving examples equals having taught the right label from the start") {
  for (const Profile profile : kProfiles) {
    Learner moved(small(profile));
    Learner right(small(profile));
    World world = small_world(5);
    for (std::size_t c = 0; c < 4; ++c) {
      REQUIRE(moved.add_class(World::name(c)) == Status::kOk);
      REQUIRE(right.add_class(World::name(c)) == Status::kOk);
    }
    for (int i = 0; i < 12;
         ++i) {  // the last five are called 0 to 2 by mistake; one is right already
      const bool last = i >= 7;
      const std::size_t c = last ? 3 : world.below(4);
      const std::vector<float> embedding = world.draw(c);
      const std::size_t called = last && i != 9 ? world.below(3) : c;
      REQUIRE(moved.teach(embedding, World::name(called)) == Status::kOk);
      REQUIRE(right.teach(embedding, World::name(c)) == Status::kOk);
    }
    REQUIRE(moved.move(5, World::name(3)) == Status::kOk);
    CHECK(contents_of(moved).same_knowledge(contents_of(right)));
    CHECK(contents_of(moved).recent == contents_of(right).recent);
    // What was moved can be undone from where it is now.
    REQUIRE(moved.undo(5) == Status::kOk);
    REQUIRE(right.undo(5) == Status::kOk);
    CHECK(contents_of(moved).same_knowledge(contents_of(right)));
  }
}

TEST_CASE("Moving a range leaves the examples around it") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0, 6);  // 1 opens, 2 to 7 teach
  REQUIRE(learner.move_range(3, 5, "new") == Status::kOk);
  CHECK(examples_of(learner, World::name(0)) == 3);
  CHECK(examples_of(learner, "new") == 3);
  REQUIRE(learner.move_range(0, UINT64_MAX, World::name(0)) == Status::kOk);
  CHECK(examples_of(learner, World::name(0)) == 6);
  CHECK(examples_of(learner, "new") == 0);
}

TEST_CASE("Moving nothing makes no class") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0, 2);
  const Contents before = contents_of(learner);
  CHECK(learner.move(0, "new") == Status::kNothingToUndo);
  CHECK(learner.move(3, "new") == Status::kNothingToUndo);
  CHECK(learner.move_range(100, 200, "new") == Status::kNothingToUndo);
  CHECK(contents_of(learner) == before);
}

TEST_CASE("A forgotten class is gone, the others stay, and its examples cannot be undone") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    for (std::size_t c = 0; c < 3; ++c) teach(learner, world, c, 3);
    teach(learner, world, 1, 2);
    Contents before = contents_of(learner);
    REQUIRE(learner.forget(World::name(1)) == Status::kOk);
    CHECK(learner.forget(World::name(1)) == Status::kNoSuchClass);
    Contents after = contents_of(learner);
    before.classes.erase(World::name(1));
    CHECK(after.classes == before.classes);
    CHECK(learner.recent().size() == 6);
    for (const RecentExample& example : learner.recent())
      CHECK(example.label.text() != World::name(1));
    REQUIRE(learner.undo(6) == Status::kOk);
    CHECK(examples_of(learner, World::name(0)) == 0);
    CHECK(examples_of(learner, World::name(2)) == 0);
    for (const RankedLabel& r : answer_of(learner, world.draw(1)).ranked) {
      CHECK(r.label.text() != World::name(1));
    }
  }
}

TEST_CASE(
    "Forgetting leaves in the shared statistics what closing the class in the ensemble leaves") {
  const LearnerSettings settings = small();
  Learner learner(settings);
  const auto plain = make_ensemble(settings.ensemble, Device::kCpu);
  World world = small_world(12);
  Bytes example(plain->example_bytes());
  for (std::uint32_t slot = 0; slot < 3; ++slot) {
    REQUIRE(plain->open_slot(slot) == Status::kOk);
    for (int i = 0; i < 5; ++i) {
      const std::vector<float> embedding = world.draw(slot);
      REQUIRE(learner.teach(embedding, World::name(slot)) == Status::kOk);
      REQUIRE(plain->admit(embedding, example) == Status::kOk);
      REQUIRE(plain->teach(example, slot, Part::kBoth) == Status::kOk);
    }
  }
  Bytes shared(plain->shared_section_bytes());
  REQUIRE(plain->export_shared(shared) == Status::kOk);
  CHECK(contents_of(learner).shared == shared);
  const Bytes before = shared;
  REQUIRE(learner.forget(World::name(1)) == Status::kOk);
  REQUIRE(plain->close_class(1) == Status::kOk);
  REQUIRE(plain->export_shared(shared) == Status::kOk);
  CHECK(contents_of(learner).shared == shared);
  CHECK(shared != before);
}

TEST_CASE("A class that is forgotten and taught again starts from nothing") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    Learner fresh(small(profile));
    World world = small_world(6);
    teach(learner, world, 0, 5);
    teach(learner, world, 1, 5);
    REQUIRE(learner.forget(World::name(0)) == Status::kOk);
    for (int i = 0; i < 4; ++i) {
      const std::vector<float> embedding = world.draw(0);
      REQUIRE(learner.teach(embedding, World::name(0)) == Status::kOk);
      REQUIRE(fresh.teach(embedding, World::name(0)) == Status::kOk);
    }
    Contents again = contents_of(learner);
    CHECK(again.slots[World::name(0)] == 0);
    CHECK(again.classes[World::name(0)] == contents_of(fresh).classes[World::name(0)]);
  }
}

TEST_CASE("The slot of a forgotten class goes to the next one, with nothing of the old examples") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0, 3);
  teach(learner, world, 1, 3);
  REQUIRE(learner.forget(World::name(0)) == Status::kOk);
  teach(learner, world, 2, 1);
  CHECK(contents_of(learner).slots[World::name(2)] == 0);
  CHECK(learner.recent().size() == 4);
  REQUIRE(learner.undo(1) == Status::kOk);
  CHECK(examples_of(learner, World::name(2)) == 0);
  CHECK(learner.undo(4) == Status::kNothingToUndo);
}

TEST_CASE("Forgetting an empty class changes nothing else") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    teach(learner, world, 0, 3);
    const Contents before = contents_of(learner);
    REQUIRE(learner.add_class("empty") == Status::kOk);
    REQUIRE(learner.forget("empty") == Status::kOk);
    CHECK(contents_of(learner).same_knowledge(before));
  }
}

TEST_CASE("Renaming keeps everything but the name") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world();
    teach(learner, world, 0, 4);
    teach(learner, world, 1, 4);
    const std::vector<float> query = world.draw(0);
    Contents before = contents_of(learner);
    const Answer old_answer = answer_of(learner, query);
    REQUIRE(learner.rename(World::name(0), "mug") == Status::kOk);
    Contents after = contents_of(learner);
    CHECK(after.classes["mug"] == before.classes[World::name(0)]);
    CHECK(after.classes[World::name(1)] == before.classes[World::name(1)]);
    CHECK(after.classes.size() == 2);
    CHECK(after.shared == before.shared);
    CHECK(after.recent == before.recent);
    const Answer answer = answer_of(learner, query);
    REQUIRE(answer.ranked.size() == 2);
    CHECK(answer.best().confidence == old_answer.best().confidence);
    CHECK(answer.ranked[answer.best().slot == 0 ? 0 : 1].label.text() == "mug");
    REQUIRE(learner.teach(world.draw(0), "mug") == Status::kOk);
    CHECK(learner.classes().size() == 2);
    CHECK(learner.add_class(World::name(0)) == Status::kOk);  // the old name is free
  }
}

}  // namespace
}  // namespace jackdaw::testing
