// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// save_as and load_copy.
#include <filesystem>
#include <thread>

#include "jackdaw/error.hpp"
#include "runtime/learner/learner_support.hpp"
#include "support/temporary_folder.hpp"
#include "support/log.hpp"

namespace jackdaw::testing {
namespace {

TEST_CASE("What is saved and loaded knows the same") {
  for (const Profile profile : kProfiles) {
    TemporaryFolder folder;
    World world = small_world(40);
    Learner learner(small(profile));
    for (std::size_t c = 0; c < 4; ++c) teach(learner, world, c, 4);
    REQUIRE(learner.forget(World::name(1)) == Status::kOk);
    const Contents before = contents_of(learner);
    learner.save_as(folder.path("copy"));
    CHECK(contents_of(learner) == before);
    Learner copy = load_copy(folder.path("copy"));
    CHECK(contents_of(copy).same_knowledge(before));
    CHECK(contents_of(copy).slots == before.slots);
    CHECK(names_of(copy) == names_of(learner));
    CHECK(copy.settings().folder.empty());
    {
      Learner opened(small_in(folder.path("copy"), profile));
      CHECK(contents_of(opened).same_knowledge(before));
      teach(opened, world, 0, 2);  // goes on from there
    }
    Learner again = load_copy(folder.path("copy"));
    CHECK(examples_of(again, World::name(0)) == 6);
  }
}

TEST_CASE("A saved folder has two whole snapshots, so one may rot") {
  TemporaryFolder folder;
  World world = small_world(41);
  Learner learner(small());
  teach(learner, world, 0, 4);
  learner.save_as(folder.path("copy"));
  std::string newest;
  for (const auto& [name, content] : files_in(folder.path("copy"))) {
    if (name.find(".snapshot") != std::string::npos) newest = std::max(newest, name);
  }
  std::filesystem::resize_file(folder.path("copy") + "/" + newest, 100);
  Learner copy = load_copy(folder.path("copy"));
  CHECK(contents_of(copy).same_knowledge(contents_of(learner)));
}

TEST_CASE("Saving into a folder that is not empty is refused and touches nothing") {
  TemporaryFolder folder;
  World world = small_world(42);
  Learner learner(small());
  teach(learner, world, 0, 2);
  learner.save_as(folder.path("copy"));
  const auto files = files_in(folder.path("copy"));
  CHECK_THROWS_AS(learner.save_as(folder.path("copy")), StateError);
  CHECK(files_in(folder.path("copy")) == files);
  std::filesystem::create_directory(folder.path("empty"));
  CHECK_NOTHROW(learner.save_as(folder.path("empty")));
  CHECK_THROWS_AS(learner.save_as(folder.path("no/such/parent")), StateError);
}

TEST_CASE("A folder that is in use can be copied and is not touched") {
  TemporaryFolder folder;
  World world = small_world(43);
  Learner learner(small_in(folder.path("state")));
  teach(learner, world, 0, 3);
  REQUIRE(learner.flush(20.0));
  const auto files = files_in(folder.path("state"));
  Learner copy = load_copy(folder.path("state"));
  CHECK(contents_of(copy) == contents_of(learner));
  teach(copy, world, 1, 3);
  CHECK(learner.classes().size() == 1);
  CHECK(files_in(folder.path("state")) == files);
  learner.save_as(folder.path("copy"));
  CHECK(contents_of(learner).same_knowledge(contents_of(copy)) == false);
  Learner saved = load_copy(folder.path("copy"));
  CHECK(contents_of(saved).same_knowledge(contents_of(learner)));
}

TEST_CASE("What is saved while another thread teaches is the state of one moment") {
  TemporaryFolder folder;
  Learner learner(small());
  std::atomic<bool> stop{false};
  std::thread teacher([&] {
    World world = small_world(44);
    while (!stop) {
      for (std::size_t c = 0; c < 5; ++c) {
        if (learner.teach(world.draw(c), World::name(c)) != Status::kOk) return;
      }
    }
  });
  for (int i = 0; i < 3; ++i) {
    const std::string name = folder.path("copy " + std::to_string(i));
    learner.save_as(name);
    // Taught in turns, so at any moment the counts fall by at most one from class to class.
    const Learner copy = load_copy(name);
    const std::vector<ClassInfo> classes = copy.classes();
    for (std::size_t c = 1; c < classes.size(); ++c) {
      CHECK(classes[c].examples <= classes[0].examples);
      CHECK(classes[c].examples >= classes[0].examples - 1);
    }
  }
  stop = true;
  teacher.join();
}

TEST_CASE("A folder that holds no state cannot be copied, and the message names it") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("empty"));
  for (const char* name : {"empty", "missing"}) {
    std::string message;
    try {
      static_cast<void>(load_copy(folder.path(name)));
    } catch (const StateError& error) {
      message = error.what();
    }
    CHECK(message.find(folder.path(name)) != std::string::npos);
  }
  CHECK_THROWS_AS(static_cast<void>(read_settings(folder.path("missing"))), StateError);
  CHECK_FALSE(std::filesystem::exists(folder.path("missing")));
}

TEST_CASE("A saved folder that does not fit the settings is refused and left alone") {
  TemporaryFolder folder;
  World world = small_world(44);
  Learner learner(small());
  for (std::size_t c = 0; c < 3; ++c) teach(learner, world, c, 2);
  learner.save_as(folder.path("copy"));
  const auto before = files_in(folder.path("copy"));
  LearnerSettings fewer = small_in(folder.path("copy"));
  fewer.ensemble.max_classes = 2;
  CHECK_THROWS_WITH_AS(Learner{fewer}, doctest::Contains("start with more"), StateError);
  CHECK(files_in(folder.path("copy")) == before);
}

TEST_CASE("A saved folder whose snapshots are all broken is refused, not taken for a new one") {
  TemporaryFolder folder;
  World world = small_world(45);
  Learner learner(small());
  teach(learner, world, 0, 3);
  learner.save_as(folder.path("copy"));
  {
    Learner opened(small_in(folder.path("copy")));
    teach(opened, world, 1, 1);
  }
  for (const auto& [name, content] : files_in(folder.path("copy"))) {
    if (name.find(".snapshot") == std::string::npos) continue;
    std::filesystem::resize_file(folder.path("copy") + "/" + name, content.size() - 1);
  }
  const auto before = files_in(folder.path("copy"));
  CHECK_THROWS_AS(Learner{small_in(folder.path("copy"))}, StateError);
  CHECK(files_in(folder.path("copy")) == before);
}

TEST_CASE("A journal that is missing is said") {
  TemporaryFolder folder;
  World world = small_world(46);
  {
    Learner learner(small_in(folder.path("state")));
    teach(learner, world, 0, 3);
  }
  for (const auto& [name, content] : files_in(folder.path("state"))) {
    if (name.find(".journal") != std::string::npos)
      std::filesystem::remove(folder.path("state") + "/" + name);
  }
  static_cast<void>(take_log());
  static_cast<void>(load_copy(folder.path("state")));
  const auto said = take_log();
  REQUIRE(!said.empty());
  CHECK(said.front().text.find("journal is missing") != std::string::npos);
}

TEST_CASE("Two copies of one state are not added up without their ancestor") {
  TemporaryFolder folder;
  World world = small_world(47);
  Learner learner(small());
  teach(learner, world, 0, 3);
  learner.save_as(folder.path("a"));
  Learner a = load_copy(folder.path("a"));
  const Learner b = load_copy(folder.path("a"));
  CHECK_THROWS_WITH_AS(a.merge(b), doctest::Contains("ancestor"), StateError);
  CHECK(examples_of(a, World::name(0)) == 3);
}

}  // namespace
}  // namespace jackdaw::testing
