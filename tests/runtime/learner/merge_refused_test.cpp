// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Names in a merge, and merges that cannot be exact: refused, and nothing is changed.
#include "jackdaw/error.hpp"
#include "runtime/learner/learner_support.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

Learner copy_of(Learner& learner) {
  Learner copy(learner.settings());
  copy.core().take_over(learner.core());
  return copy;
}

void check_refused(Learner& learner, const Learner& other, const Learner* ancestor,
                   const char* word) {
  const Contents before = contents_of(learner);
  const Bytes names = names_of(learner);
  std::string message;
  try {
    learner.merge(other, ancestor);
  } catch (const StateError& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.find(word) != std::string::npos);
  CHECK(contents_of(learner) == before);
  CHECK(names_of(learner) == names);
}

struct Family {
  World world = small_world(20);
  Learner ancestor{small()};
  Learner a{small()};
  Learner b{small()};

  Family() {
    teach(ancestor, world, 0, 4);
    teach(ancestor, world, 1, 4);
    a = copy_of(ancestor);
    b = copy_of(ancestor);
    teach(a, world, 0, 2);
    teach(b, world, 0, 3);
  }
};

TEST_CASE("A rename on one side counts") {
  Family f;
  SUBCASE("on this side") { REQUIRE(f.a.rename(World::name(0), "mug") == Status::kOk); }
  SUBCASE("on the other side") { REQUIRE(f.b.rename(World::name(0), "mug") == Status::kOk); }
  SUBCASE("on both sides alike") {
    REQUIRE(f.a.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.b.rename(World::name(0), "mug") == Status::kOk);
  }
  SUBCASE("on both sides: this one wins") {
    REQUIRE(f.a.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.b.rename(World::name(0), "jug") == Status::kOk);
  }
  f.a.merge(f.b, &f.ancestor);
  CHECK(f.a.classes().size() == 2);
  CHECK(examples_of(f.a, "mug") == 4 + 2 + 3);
  CHECK(examples_of(f.a, World::name(1)) == 4);
}

TEST_CASE("Names that were exchanged on the other side are exchanged") {
  Family f;
  REQUIRE(f.b.rename(World::name(0), "between") == Status::kOk);
  REQUIRE(f.b.rename(World::name(1), World::name(0)) == Status::kOk);
  REQUIRE(f.b.rename("between", World::name(1)) == Status::kOk);
  f.a.merge(f.b, &f.ancestor);
  CHECK(f.a.classes().size() == 2);
  CHECK(examples_of(f.a, World::name(1)) == 9);
  CHECK(examples_of(f.a, World::name(0)) == 4);
}

TEST_CASE("A name that means different classes in the two states is refused") {
  Family f;
  SUBCASE("renamed there, new here") {
    REQUIRE(f.b.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.a.teach(f.world.draw(5), "mug") == Status::kOk);
  }
  SUBCASE("renamed here, new there") {
    REQUIRE(f.a.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.b.teach(f.world.draw(5), "mug") == Status::kOk);
  }
  SUBCASE("renamed there, and a new class there has the old name") {
    REQUIRE(f.b.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.b.teach(f.world.draw(5), World::name(0)) == Status::kOk);
  }
  SUBCASE("two classes of the ancestor get the same name") {
    REQUIRE(f.a.rename(World::name(0), "mug") == Status::kOk);
    REQUIRE(f.b.rename(World::name(1), "mug") == Status::kOk);
  }
  check_refused(f.a, f.b, &f.ancestor, "means different classes");
}

TEST_CASE("A class of the ancestor that one side has forgotten is refused") {
  Family f;
  SUBCASE("this side") {
    REQUIRE(f.a.forget(World::name(0)) == Status::kOk);
    check_refused(f.a, f.b, &f.ancestor, "first");
  }
  SUBCASE("the other side") {
    REQUIRE(f.b.forget(World::name(0)) == Status::kOk);
    check_refused(f.a, f.b, &f.ancestor, "second");
  }
  SUBCASE("the other side, and taught again under the same name") {
    REQUIRE(f.b.forget(World::name(0)) == Status::kOk);
    REQUIRE(f.b.teach(f.world.draw(0), World::name(0)) == Status::kOk);
    check_refused(f.a, f.b, &f.ancestor, "'class 0'");
  }
}

TEST_CASE("More classes than there is room for are refused") {
  Learner a(small());
  Learner b(small());
  World world = small_world(21);
  for (std::size_t c = 0; c < 4; ++c) teach(a, world, c);
  for (std::size_t c = 3; c < 7; ++c) teach(b, world, c);
  check_refused(a, b, nullptr, "6 classes");
}

TEST_CASE("An ancestor that is none is refused") {
  Family f;
  Learner stranger(small());
  teach(stranger, f.world, 0, 2);  // the same name, but a class of its own
  check_refused(f.a, f.b, &stranger, "ancestor");
}

TEST_CASE("States that did not start alike are refused") {
  World world = small_world(22);
  Learner a(small());
  teach(a, world, 0, 3);
  LearnerSettings other = small();
  SUBCASE("another encoder") { other.encoder = "another"; }
  SUBCASE("other keys") { other.ensemble.seed = 1; }
  SUBCASE("another profile") { other.ensemble.profile = Profile::kSeed; }
  SUBCASE("another store") { other.ensemble.store = StoreType::kInt32; }
  SUBCASE("other levels") { other.ensemble.default_rule.levels = 5.0F; }
  Learner b(other);
  check_refused(a, b, nullptr, "did not start alike");
}

TEST_CASE("States of profile seed with other initial weights are refused") {
  Learner a(small(Profile::kSeed));
  LearnerSettings other = small(Profile::kSeed);
  SUBCASE("another seed") { other.ensemble.seed = 1; }
  SUBCASE("another learning rate") { other.ensemble.seed_rule.learning_rate = 0.02F; }
  SUBCASE("the paper's fan-in") { other.ensemble.seed_rule.fan_in_of_paper = true; }
  Learner b(other);
  check_refused(a, b, nullptr, "did not start alike");
}

TEST_CASE("Room for more classes on one side does not stand in the way") {
  World world = small_world(23);
  Learner a(small());
  LearnerSettings larger = small();
  larger.ensemble.max_classes = 9;
  Learner b(larger);
  teach(a, world, 0, 2);
  for (std::size_t c = 0; c < 5; ++c) teach(b, world, c);
  a.merge(b);
  CHECK(a.classes().size() == 5);
  CHECK(examples_of(a, World::name(0)) == 3);
}

TEST_CASE("A learner with a folder is not merged into") {
  TemporaryFolder folder;
  Learner a(small_in(folder.path("state")));
  Learner b(small());
  check_refused(a, b, nullptr, "in memory");
}

}  // namespace
}  // namespace jackdaw::testing
