// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Every bit flipped and every length cut, in every file of a small state folder: the state is
// refused, or it is exactly that after some number of records, and what is missing is told.

#include <doctest/doctest.h>

#include <algorithm>

#include "simulated_disk.hpp"
#include "state/file_names.hpp"
#include "state/journal_format.hpp"
#include "state/snapshot_reader.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

// Two snapshots and the segments after the older one.
Files small_folder(std::uint64_t& last) {
  SimulatedDisk disk;
  Toy toy(1, 8);
  StateOptions options = quick_options();
  options.journal.segment_bytes = 1024;
  {
    StateFolder state(disk, "state", toy, options);
    toy.attach(&state);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 4; ++i) {
        REQUIRE(toy.teach() == Status::kOk);
        if (i % 2 == 0) REQUIRE(state.flush(kLong));
      }
      if (round < 2) REQUIRE(state.snapshot(kLong));
    }
    REQUIRE(state.flush(kLong));
  }
  last = toy.last();
  return disk.files();
}

struct Outcome {
  std::uint64_t whole = 0;    // everything was there all the same
  std::uint64_t partial = 0;  // a beginning, and told so
  std::uint64_t refused = 0;
};

// must_tell: a file cut at the end of a record, or missing, looks like one that never was longer.
void check(const Files& files, std::uint64_t last, const Expected& expected, Outcome& outcome,
           bool must_tell) {
  SimulatedDisk disk(files);
  Toy toy(1, 8);
  try {
    const RecoveryReport report = StateFolder::read(disk, "state", toy);
    REQUIRE(report.last_sequence <= last);
    REQUIRE(toy == expected.after(report.last_sequence));
    if (report.last_sequence == last) {
      ++outcome.whole;
    } else {
      ++outcome.partial;
      if (must_tell) REQUIRE_FALSE(report.notes.empty());
    }
  } catch (const StateError& error) {
    ++outcome.refused;
    REQUIRE(std::string(error.what()).find("state") != std::string::npos);
  }
  REQUIRE(disk.files() == files);
}

}  // namespace

TEST_CASE("state: every bit flipped in every file") {
  std::uint64_t last = 0;
  const Files files = small_folder(last);
  const Expected expected(last);
  Outcome outcome;
  for (const auto& file : files) {
    const std::string& path = file.first;
    const Bytes& content = file.second;
    CAPTURE(path);
    Files changed = files;
    Bytes& bytes = changed[path];
    for (std::size_t bit = 0; bit < content.size() * 8; ++bit) {
      // Preallocated space is all alike: every bit of the first kilobyte, then every 7th.
      if (bit >= 8192 && bit % 7 != 0) continue;
      CAPTURE(bit);
      bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
      check(changed, last, expected, outcome, true);
      bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    }
  }
  MESSAGE(files.size() << " files: " << outcome.whole << " flips did no harm, " << outcome.partial
                       << " left a beginning, " << outcome.refused << " were refused");
  CHECK(outcome.whole > 1000);
}

TEST_CASE("state: every file cut at every byte") {
  std::uint64_t last = 0;
  const Files files = small_folder(last);
  const Expected expected(last);
  Outcome outcome;
  for (const auto& file : files) {
    const std::string& path = file.first;
    const Bytes& content = file.second;
    CAPTURE(path);
    for (std::size_t size = 0; size < content.size(); ++size) {
      CAPTURE(size);
      Files changed = files;
      changed[path].resize(size);
      check(changed, last, expected, outcome, false);
    }
    Files without = files;
    without.erase(path);
    check(without, last, expected, outcome, false);
  }
  MESSAGE(outcome.whole << " cuts did no harm, " << outcome.partial << " left a beginning, "
                        << outcome.refused << " were refused");
}

TEST_CASE("state: a broken newest snapshot is set aside, the one before is used") {
  std::uint64_t last = 0;
  Files files = small_folder(last);
  std::string newest;
  for (const auto& file : files) {
    if (file.first.find(".snapshot") != std::string::npos) newest = file.first;
  }
  REQUIRE_FALSE(newest.empty());
  files[newest].back() ^= std::byte{1};
  const Bytes broken = files[newest];
  SimulatedDisk disk(files);
  Toy toy(1, 8);
  StateFolder state(disk, "state", toy, quick_options());
  CHECK(state.report().last_sequence == last);
  CHECK(toy == Expected(last).after(last));
  CHECK_FALSE(state.report().damaged);
  CHECK(disk.files().count(newest) == 0);
  CHECK(disk.files()[newest + ".broken"] == broken);
}

TEST_CASE("state: damage in the middle is told from an unfinished write, and bridged") {
  SimulatedDisk disk;
  StateOptions options = quick_options();
  options.journal.segment_bytes = 16384;
  {
    Toy toy;
    StateFolder state(disk, "state", toy, options);
    toy.attach(&state);
    for (int i = 0; i < 12; ++i) {
      REQUIRE(toy.teach() == Status::kOk);
      REQUIRE(state.flush(kLong));
    }
  }
  Files files = disk.files();
  REQUIRE(files.size() == 1);
  Bytes& journal = files.begin()->second;
  std::size_t at = kJournalHeaderBytes;
  for (int i = 0; i < 4; ++i) at += plausible_record(Span<const std::byte>(journal).subspan(at));
  journal[at + 9] ^= std::byte{0x10};  // record 5 of 12

  SUBCASE("refused when asked to") {
    SimulatedDisk damaged(files);
    Toy toy;
    options.refuse_damage = true;
    CHECK_THROWS_AS(StateFolder(damaged, "state", toy, options), StateError);
    CHECK(damaged.files() == files);
  }
  SUBCASE("goes on from before the damage; numbers do not repeat; nothing is deleted") {
    SimulatedDisk damaged(files);
    {
      Toy toy;
      StateFolder state(damaged, "state", toy, options);
      CHECK(state.report().damaged);
      CHECK(state.report().last_sequence == 4);
      CHECK(toy == Expected(4).after(4));
      CHECK(toy.last() == 12);
      toy.attach(&state);
      REQUIRE(toy.teach() == Status::kOk);
      CHECK(toy.last() == 13);
      CHECK(state.flush(kLong));
      CHECK(damaged.files()[files.begin()->first + ".broken"] == journal);
    }
    Toy again;
    const RecoveryReport report = StateFolder::read(damaged, "state", again);
    CHECK_FALSE(report.damaged);
    CHECK(report.last_sequence == 13);
  }
  SUBCASE("power loss while it is being bridged") {
    SimulatedDisk damaged(files);
    damaged.record([] { return std::uint64_t{0}; });
    {
      Toy toy;
      const StateFolder state(damaged, "state", toy, options);
    }
    std::uint64_t bridged = 0;
    CHECK(damaged.log().size() > 5);
    for (std::size_t n = 0; n < 40; ++n) {
      SimulatedDisk failing(files);
      failing.set_fault([&](Call, std::uint64_t i) { return i < n ? Fault{} : Fault{EIO}; });
      try {
        Toy toy;
        const StateFolder state(failing, "state", toy, options);
      } catch (const StateError&) {
      }
      failing.set_fault({});
      Toy toy;
      const StateFolder state(failing, "state", toy, options);
      CHECK(toy.last() == 12);
      CHECK(toy == Expected(4).after(4));
      ++bridged;
    }
    CHECK(bridged == 40);
  }
}

TEST_CASE("state: all snapshots gone and no journal from the start is refused") {
  std::uint64_t last = 0;
  Files files = small_folder(last);
  files.erase(files.begin());  // the segment that begins with record 1
  for (auto it = files.begin(); it != files.end();) {
    it = it->first.find(".snapshot") != std::string::npos ? files.erase(it) : std::next(it);
  }
  SimulatedDisk disk(files);
  Toy toy(1, 8);
  const Files before = disk.files();
  CHECK_THROWS_AS(StateFolder(disk, "state", toy, quick_options()), StateError);
  CHECK(disk.files() == before);
}

}  // namespace jackdaw::state::test
