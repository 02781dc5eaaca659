// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <thread>
#include <vector>

#include "stand_ins.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live::testing {
namespace {

using jackdaw::testing::TemporaryFolder;

std::string exported(Desk& desk) {
  Bytes file;
  const Reply reply = desk.session->export_state(file);
  REQUIRE_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
  REQUIRE(file != nullptr);
  return *file;
}

TEST_CASE("a state file takes what was learned to another device") {
  const TemporaryFolder folder;
  std::string file;
  {
    Desk kitchen(folder.path() + "/kitchen");
    kitchen.teach("red");
    file = exported(kitchen);
    kitchen.teach("green");  // after the export
  }
  Desk workshop(folder.path() + "/workshop");
  workshop.teach("blue");
  const Reply reply = workshop.session->import_state(bytes_of(file));
  REQUIRE_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
  CHECK(workshop.card("red") != nullptr);
  CHECK(workshop.card("green") == nullptr);
  CHECK(workshop.card("blue") == nullptr);
  CHECK(workshop.sees("red", "red"));
  CHECK(std::filesystem::is_directory(folder.path() + "/workshop/before-import-1"));
  workshop.teach("green");  // it goes on learning
  CHECK(workshop.sees("green", "green"));
}

TEST_CASE("merging adds what another device learned, class by class") {
  const TemporaryFolder folder;
  std::string file;
  std::int64_t theirs = 0;
  {
    Desk kitchen(folder.path() + "/kitchen");
    kitchen.teach("red");
    kitchen.teach("green");
    theirs = kitchen.card("red")->lessons;
    file = exported(kitchen);
  }
  std::int64_t ours = 0;
  {
    Desk workshop(folder.path() + "/workshop");
    workshop.teach("red");
    workshop.teach("blue");
    ours = workshop.card("red")->lessons;
    const Reply reply = workshop.session->merge_state(bytes_of(file));
    REQUIRE_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
    CHECK(workshop.card("red")->lessons == ours + theirs);
    for (const char* thing : {"red", "green", "blue"}) CHECK(workshop.sees(thing, thing));
  }
  Desk again(folder.path() + "/workshop");
  CHECK(again.card("red")->lessons == ours + theirs);
  CHECK(again.session->state().classes.size() == 3);
}

TEST_CASE("what is no state file, or another encoder's, changes nothing") {
  const TemporaryFolder folder;
  std::string foreign;
  {
    Desk other(folder.path() + "/other", 0, "xylophone");
    other.teach("red");
    foreign = exported(other);
  }
  Desk desk(folder.path() + "/state");
  desk.teach("blue");
  const std::string ours = exported(desk);
  std::string flipped = ours;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x10);
  for (const std::string& bad : {std::string(), std::string("nonsense"), foreign, flipped,
                                 ours.substr(0, ours.size() - 1), ours + "x"}) {
    for (const bool merge : {false, true}) {
      const Reply reply = merge ? desk.session->merge_state(bytes_of(bad))
                                : desk.session->import_state(bytes_of(bad));
      CHECK(reply.outcome == Outcome::kConflict);
      CHECK_FALSE(reply.message.empty());
    }
  }
  CHECK(desk.session->state().classes.size() == 1);
  CHECK(desk.sees("blue", "blue"));
  CHECK_FALSE(std::filesystem::exists(folder.path() + "/state/before-import-1"));
}

TEST_CASE("what a crash left half way is cleared away, and no state is lost by it") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const std::string state = folder.path() + "/state";
  {
    Desk desk(state);
    desk.teach("red");
  }
  fs::create_directories(state + "/incoming.partial");
  fs::create_directories(state + "/incoming");
  fs::create_directories(state + "/before-import-1");  // the exchange is done with one call
  Desk desk(state);
  CHECK(desk.sees("red", "red"));
  CHECK(fs::is_directory(state + "/before-import-1"));
  CHECK_FALSE(fs::exists(state + "/incoming.partial"));
  CHECK_FALSE(fs::exists(state + "/incoming"));
}

TEST_CASE("the last three states from before are kept, and what is not ours is left alone") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const std::string state = folder.path() + "/state";
  Desk desk(state);
  desk.teach("red");
  const std::string file = exported(desk);
  fs::create_directories(state + "/before-import-1-keep");
  for (int i = 0; i < 5; ++i)
    REQUIRE(desk.session->import_state(bytes_of(file)).outcome == Outcome::kOk);
  for (const int n : {1, 2}) CHECK_FALSE(fs::exists(state + "/before-import-" + std::to_string(n)));
  for (const int n : {3, 4, 5}) CHECK(fs::exists(state + "/before-import-" + std::to_string(n)));
  CHECK(fs::exists(state + "/before-import-1-keep"));
  CHECK(desk.sees("red", "red"));
}

TEST_CASE("nothing is changed while a state file is taken in") {
  const TemporaryFolder folder;
  std::string file;
  {
    Desk other(folder.path() + "/other");
    other.teach("red");
    file = exported(other);
  }
  Desk desk(folder.path() + "/state");
  desk.teach("red");
  std::atomic<bool> done{false};
  std::thread merging([&] {
    const Reply reply = desk.session->merge_state(bytes_of(file));
    CHECK_MESSAGE(reply.outcome == Outcome::kOk, reply.message);
    done = true;
  });
  // Whatever was answered with "done" is there afterwards.
  std::vector<std::string> made;
  for (int i = 0; !done && i < 5; ++i) {
    const std::string name = "class " + std::to_string(i);
    if (desk.session->add_class(name).outcome == Outcome::kOk) made.push_back(name);
  }
  merging.join();
  for (const std::string& name : made) CHECK_MESSAGE(desk.card(name) != nullptr, name);
}

}  // namespace
}  // namespace jackdaw::live::testing
