// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Power loss at every moment of a life of a state folder: opened, taught, snapshots with records
// arriving in between, closed, opened again. For each number of calls that reached the disk, many
// images of what may have survived; each must come back with every acknowledged record and nothing
// torn or invented.

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "crash_simulator.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

// Says how far the folder has acknowledged, also while it is being made or destroyed.
struct Witness {
  std::atomic<StateFolder*> folder{nullptr};
  std::atomic<std::uint64_t> floor{0};
  std::uint64_t operator()() const {
    const StateFolder* now = folder.load();
    return now != nullptr ? now->acknowledged() : floor.load();
  }
  void leave() {
    floor.store(folder.load()->acknowledged());
    folder.store(nullptr);
  }
};

void teach(Toy& toy, StateFolder& state, int count) {
  for (int i = 0; i < count; ++i) REQUIRE(toy.teach() == Status::kOk);
  REQUIRE(state.flush(kLong));
}

// Opens, teaches and closes; how many records there are afterwards.
std::uint64_t live(SimulatedDisk& disk, int rounds, std::uint64_t acknowledged) {
  Witness witness;
  witness.floor.store(acknowledged);
  disk.record([&] { return witness(); });
  Toy toy;
  {
    StateFolder state(disk, "state", toy, quick_options());
    witness.folder.store(&state);
    toy.attach(&state);
    // Records that arrive while a snapshot is being written: its sections are of different moments.
    toy.on_copy([&] { static_cast<void>(toy.teach()); });
    for (int round = 0; round < rounds; ++round) {
      teach(toy, state, 3);
      teach(toy, state, 1);
      REQUIRE(state.snapshot(kLong));
      teach(toy, state, 2);
    }
    static_cast<void>(toy.teach());  // not flushed: may survive or not
    witness.leave();
  }
  disk.record({});
  return toy.last();
}

struct Tally {
  std::uint64_t images = 0;
  std::uint64_t reopened = 0;
  std::uint64_t second = 0;
};

class Checker {
 public:
  explicit Checker(std::uint64_t seed) : random_(seed) {}

  // Every moment of a recorded life. depth 0: also lives on from some images and crashes again.
  void every_moment(const SimulatedDisk& disk, std::uint64_t most, int depth) {
    CrashSimulator crash(disk.log(), disk.initial());
    for (std::size_t calls = 0; calls <= crash.size(); ++calls) {
      crash.stop_after(calls);
      const std::size_t parts = crash.parts();
      const auto check_image = [&](const Files& image) {
        CAPTURE(calls);
        CAPTURE(depth);
        check(image, crash.acknowledged(), most, depth);
      };
      check_image(crash.image([](std::size_t) { return false; }));
      check_image(crash.image([](std::size_t) { return true; }));
      if (parts == 0) continue;
      const std::size_t exhaustive = (depth == 0 ? 8U : 4U) - (kSlowBuild ? 2U : 0U);
      if (parts <= exhaustive) {
        for (std::uint64_t set = 1; set + 1 < (std::uint64_t{1} << parts); ++set) {
          check_image(crash.image([&](std::size_t i) { return (set >> i & 1U) != 0; }));
        }
      }
      const int samples = (depth == 0 ? 40 : 5) / (kSlowBuild ? 4 : 1);
      for (int i = 0; i < samples; ++i) {
        const std::uint64_t set = random_();
        const std::size_t in_order = random_() % (parts + 1);
        const std::size_t torn = random_() % 512;
        // Some lose a random subset, some everything after a moment; torn at a byte.
        check_image(crash.image(
            [&](std::size_t part) {
              return i % 3 == 0 ? part < in_order : (mix(set + part) & 1U) != 0;
            },
            torn));
      }
    }
  }

  Tally tally;

 private:
  void check(const Files& image, std::uint64_t acknowledged, std::uint64_t most, int depth) {
    ++tally.images;
    SimulatedDisk disk(image);
    Toy toy;
    std::uint64_t found = 0;
    try {
      const RecoveryReport report = StateFolder::read(disk, "state", toy);
      found = report.last_sequence;
      REQUIRE_FALSE(report.damaged);
    } catch (const StateError& error) {
      FAIL("refused: " << error.what());
    }
    REQUIRE(found >= acknowledged);
    REQUIRE(found <= most);
    REQUIRE(toy == expected_.after(found));
    REQUIRE(disk.files() == image);  // reading changes nothing
    if (depth == 0 && random_() % 20 == 0) reopen(image, found);
  }

  // Goes on from an image, then loses power at every moment of that too.
  void reopen(const Files& image, std::uint64_t found) {
    ++tally.reopened;
    SimulatedDisk disk(image);
    const bool again = random_() % 8 == 0;
    const std::uint64_t last = live(disk, 1, found);
    REQUIRE(last > found);
    Toy toy;
    REQUIRE(StateFolder::read(disk, "state", toy).last_sequence == last);
    REQUIRE(toy == expected_.after(last));
    if (!again) return;
    const std::uint64_t before = tally.images;
    every_moment(disk, last, 1);
    tally.second += tally.images - before;
  }

  std::mt19937_64 random_;
  Expected expected_{400};
};

}  // namespace

TEST_CASE("state: power loss at any moment loses nothing acknowledged") {
  const char* given = std::getenv("JACKDAW_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20240607;
  MESSAGE("seed " << seed << " (JACKDAW_SEED sets another)");
  SimulatedDisk disk;
  const std::uint64_t first = live(disk, 3, 0);
  Checker checker(seed);
  checker.every_moment(disk, first, 0);
  SimulatedDisk second(disk.files());
  const std::uint64_t last = live(second, 2, first);
  checker.every_moment(second, last, 0);
  MESSAGE((disk.log().size() + second.log().size())
          << " calls, " << checker.tally.images << " crash images, " << checker.tally.reopened
          << " lived on, " << checker.tally.second << " images of a second crash");
  CHECK(checker.tally.images > (kSlowBuild ? 2000U : 10000U));
}

}  // namespace jackdaw::state::test
