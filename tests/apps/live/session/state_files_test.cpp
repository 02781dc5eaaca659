// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <filesystem>

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

TEST_CASE("what a crash left half way is kept, not lost") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  const std::string state = folder.path() + "/state";
  {
    Desk desk(state);
    desk.teach("red");
  }
  // As after the exchange, before the old state had its name.
  fs::copy(state + "/learner", state + "/incoming");
  fs::create_directories(state + "/incoming.partial");
  Desk desk(state);
  CHECK(desk.sees("red", "red"));
  CHECK(fs::is_directory(state + "/before-import-1"));
  CHECK_FALSE(fs::exists(state + "/incoming.partial"));
}

}  // namespace
}  // namespace jackdaw::live::testing
