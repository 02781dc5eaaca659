// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define JACKDAW_TEST_HAS_MALLINFO2 1
#endif

#include "simulated_disk.hpp"
#include "state/file_names.hpp"
#include "state/inspect.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

int count(const SimulatedDisk& disk, FileKind kind) {
  int found = 0;
  for (const auto& file : disk.files()) {
    FileName name;
    if (parse_name(file.first.substr(file.first.find('/') + 1), name) && name.kind == kind) ++found;
  }
  return found;
}

// Makes every sync of a file hang until release().
class HeldDisk {
 public:
  explicit HeldDisk(SimulatedDisk& disk) : disk_(disk) {
    disk.set_fault([this](Call call, std::uint64_t) {
      if (call != Call::kSync) return Fault{};
      hanging_.store(true);
      while (!released_.load()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
      return Fault{};
    });
  }
  ~HeldDisk() {
    release();
    disk_.set_fault({});
  }
  void wait_until_hanging() const {
    while (!hanging_.load()) std::this_thread::yield();
  }
  void release() { released_.store(true); }

 private:
  SimulatedDisk& disk_;
  std::atomic<bool> hanging_{false};
  std::atomic<bool> released_{false};
};

}  // namespace

TEST_CASE("state: what was taught is there again, and numbers go on") {
  SimulatedDisk disk;
  const Expected expected(40);
  for (std::uint64_t life = 0; life < 6; ++life) {
    Toy toy;
    StateFolder state(disk, "state", toy, quick_options());
    CHECK(toy.last() == life * 5);
    CHECK(toy == expected.after(life * 5));
    CHECK(state.report().notes.empty());
    CHECK(state.acknowledged() == life * 5);
    toy.attach(&state);
    for (int i = 0; i < 5; ++i) REQUIRE(toy.teach() == Status::kOk);
    if (life % 3 == 1) CHECK(state.snapshot(kLong));
  }  // closing makes the rest durable
}

TEST_CASE("state: snapshots come by themselves, old files go, the last two stay") {
  SimulatedDisk disk;
  Toy toy;
  StateOptions options = quick_options();
  options.snapshot_after_bytes = 3000;
  {
    StateFolder state(disk, "state", toy, options);
    toy.attach(&state);
    toy.on_copy([&] { static_cast<void>(toy.teach()); });
    for (int i = 0; i < 400; ++i) {
      while (toy.teach() != Status::kOk) std::this_thread::yield();
    }
    REQUIRE(state.flush(kLong));
    REQUIRE(state.snapshot(kLong));
    CHECK(count(disk, FileKind::kSnapshot) == 2);
    CHECK(count(disk, FileKind::kPartial) == 0);
    CHECK(count(disk, FileKind::kJournal) < 12);
  }
  Toy again;
  const RecoveryReport report = StateFolder::read(disk, "state", again);
  CHECK(report.last_sequence == toy.last());
  CHECK(report.snapshot_generation > 0);
  CHECK(again == toy);
}

TEST_CASE("state: a second opening is refused, reading is not") {
  SimulatedDisk disk;
  Toy toy;
  const StateFolder state(disk, "state", toy, quick_options());
  Toy other;
  try {
    const StateFolder second(disk, "state", other, quick_options());
    FAIL("it was opened twice");
  } catch (const StateError& error) {
    CHECK(std::string(error.what()).find("in use by another process") != std::string::npos);
  }
  CHECK(StateFolder::read(disk, "state", other).last_sequence == 0);
}

TEST_CASE("state: state of another encoder is refused and stays as it is") {
  SimulatedDisk disk;
  bool with_snapshot = false;
  SUBCASE("with a snapshot") { with_snapshot = true; }
  SUBCASE("with a journal only"){} {
    Toy toy;
    StateFolder state(disk, "state", toy, quick_options());
    toy.attach(&state);
    REQUIRE(toy.teach() == Status::kOk);
    if (with_snapshot) CHECK(state.snapshot(kLong));
  }
  const Files before = disk.files();
  Toy other(2);
  try {
    const StateFolder state(disk, "state", other, quick_options());
    FAIL("it was opened");
  } catch (const StateError& error) {
    CHECK(std::string(error.what()).find("another encoder") != std::string::npos);
  }
  CHECK(disk.files() == before);
}

TEST_CASE("state: records and payloads at their limits") {
  SimulatedDisk disk;
  Toy toy;
  StateFolder state(disk, "state", toy, quick_options());
  HeldDisk held(disk);
  const std::vector<std::byte> large(kMostPayloadBytes + 1);
  CHECK(state.append(1, large).status == Status::kWrongSize);
  CHECK(state.append(1, Span<const std::byte>(large).first(4096)).status == Status::kWrongSize);
  CHECK(state.append(1, Span<const std::byte>(large).first(4088)).status == Status::kOk);
  CHECK(state.append(1, {}).status == Status::kJournalBehind);
  held.release();
  CHECK(state.flush(kLong));
  CHECK(state.append(1, {}).sequence == 2);
}

TEST_CASE("state: a record is durable by itself, without flush") {
  SimulatedDisk disk;
  Toy toy;
  StateOptions options = quick_options();
  options.journal.group_age = std::chrono::milliseconds{20};
  StateFolder state(disk, "state", toy, options);
  toy.attach(&state);
  REQUIRE(toy.teach() == Status::kOk);
  const auto deadline = std::chrono::steady_clock::now() + kLong;
  while (state.acknowledged() == 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  CHECK(state.acknowledged() == 1);
}

TEST_CASE("state: appending does not wait for the disk") {
  SimulatedDisk disk;
  Toy toy;
  StateFolder state(disk, "state", toy, quick_options());
  toy.attach(&state);
  HeldDisk held(disk);
  REQUIRE(toy.teach() == Status::kOk);
  held.wait_until_hanging();
  for (int i = 0; i < 5; ++i) CHECK(toy.teach() == Status::kOk);  // the sync hangs meanwhile
  CHECK(state.acknowledged() == 0);
  held.release();
  CHECK(state.flush(kLong));
  CHECK(state.acknowledged() == 6);
}

#if defined(JACKDAW_TEST_HAS_MALLINFO2)
TEST_CASE("state: appending allocates nothing") {
  SimulatedDisk disk;
  Toy toy;
  StateOptions options;
  options.journal.group_age = std::chrono::hours{1};  // nobody else allocates meanwhile
  StateFolder state(disk, "state", toy, options);
  toy.attach(&state);
  const auto before = mallinfo2().uordblks;
  bool all = true;
  for (int i = 0; i < 500; ++i) all = toy.teach() == Status::kOk && all;
  CHECK(mallinfo2().uordblks == before);
  CHECK(all);
}
#endif

TEST_CASE("state: inspect tells what each file is and changes nothing") {
  SimulatedDisk disk;
  {
    Toy toy;
    StateFolder state(disk, "state", toy, quick_options());
    toy.attach(&state);
    for (int i = 0; i < 7; ++i) REQUIRE(toy.teach() == Status::kOk);
    REQUIRE(state.snapshot(kLong));
  }
  disk.put("state/notes.txt", {});
  disk.put("state/00000000000000ff.snapshot.partial", {});
  disk.put("state/00000000000000fe.snapshot", Bytes(3));
  const Files before = disk.files();
  int snapshots = 0;
  for (const InspectedFile& file : inspect_folder(disk, "state")) {
    CHECK(file.name != "notes.txt");
    CHECK_FALSE(file.text.empty());
    if (file.generation == 0xfe) CHECK_FALSE(file.good);
    if (file.kind != FileKind::kSnapshot || !file.good) continue;
    ++snapshots;
    CHECK(file.first == 7);
    CHECK(file.identity == Toy().identity());
    CHECK(file.sections.size() > 2);
  }
  CHECK(snapshots == 1);
  CHECK(disk.files() == before);
  // Opening removes the unfinished one, sets the broken one aside and leaves the stranger alone.
  Toy toy;
  const StateFolder state(disk, "state", toy, quick_options());
  CHECK(disk.files().count("state/00000000000000ff.snapshot.partial") == 0);
  CHECK(disk.files().count("state/00000000000000fe.snapshot.broken") == 1);
  CHECK(disk.files().count("state/notes.txt") == 1);
  CHECK(state.report().last_sequence == 7);
}

}  // namespace jackdaw::state::test
