// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Fails the Nth call on the disk, for every N until a life goes through without meeting the fault.
// Nothing acknowledged may be lost, also when the power fails at any moment after the fault; the
// message must say what happened; and when the fault is gone everything goes on.

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <thread>

#include "crash_promise.hpp"
#include "crash_simulator.hpp"
#include "jackdaw/log.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

struct FaultKind {
  const char* name;
  int code;
  bool half;
  std::uint64_t calls;  // how many calls in a row fail
};

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kLong;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return true;
}

class Life {
 public:
  Life(const FaultKind& kind, std::uint64_t n) : kind_(kind) {
    disk_.set_fault([this, n](Call call, std::uint64_t index) {
      const bool only_reads =
          call == Call::kOpen || call == Call::kRead || call == Call::kSize || call == Call::kList;
      if (!only_reads) ++changes_;
      if (index < n || index >= n + kind_.calls) return Fault{};
      if (!met_.exchange(true)) {
        changes_before_ = changes_;
        first_ = call;
      }
      return Fault{kind_.code, kind_.half && call == Call::kWrite};
    });
    disk_.record([this] {
      const StateFolder* now = folder_.load();
      return now != nullptr ? now->acknowledged() : floor_.load();
    });
    set_log([this](LogLevel level, const char* text) {
      if (level == LogLevel::kInfo) return;
      const std::lock_guard<std::mutex> lock(mutex_);
      said_ += text;
      said_ += "\n";
    });
  }
  ~Life() { set_log({}); }

  void run() {
    for (int part = 0; part < 2; ++part) {
      Toy toy;
      const std::unique_ptr<StateFolder> state = open(toy);
      REQUIRE(toy.last() >= floor_.load());
      folder_.store(state.get());
      toy.attach(state.get());
      for (int i = 0; i < 9; ++i) {
        REQUIRE(eventually([&] { return toy.teach() == Status::kOk; }));
        if (i % 3 == 2) REQUIRE(state->flush(kLong));
        if (i == 4) REQUIRE(state->snapshot(kLong));
      }
      REQUIRE(state->snapshot(kLong));
      REQUIRE(state->flush(kLong));
      // Gone on: nothing is wrong any more.
      REQUIRE(eventually([&] { return state->durable() && state->problem().empty(); }));
      REQUIRE(state->acknowledged() == toy.last());
      last_ = toy.last();
      floor_.store(last_);
      folder_.store(nullptr);
    }
  }

  // False when the fault was never met: there are no more calls to fail.
  bool met() const { return met_.load(); }

  void check(const Expected& expected) {
    if (met_.load() && first_ != Call::kRemove) {
      INFO("first failed call: " << std::string(name_of(first_)) << "; said: " << said_);
      CHECK(said_.find(std::strerror(kind_.code)) != std::string::npos);
    }
    CrashSimulator crash(disk_.log(), disk_.initial());
    for (std::size_t calls = 0; calls <= crash.size(); ++calls) {
      crash.stop_after(calls);
      // Closely around the fault, loosely after it; before it there is power_loss_test.
      if (calls + 10 < changes_before_) continue;
      if (calls > changes_before_ + 30 && calls % (kSlowBuild ? 24 : 4) != 0) continue;
      images += check_promise(crash, calls, expected);
    }
    disk_.set_fault({});
    Toy toy;
    REQUIRE(StateFolder::read(disk_, "state", toy).last_sequence == last_);
    REQUIRE(toy == expected.after(last_));
  }

  static std::uint64_t images;

 private:
  std::unique_ptr<StateFolder> open(Toy& toy) {
    for (int attempt = 0; attempt < 30; ++attempt) {
      try {
        return std::make_unique<StateFolder>(disk_, "state", toy, quick_options());
      } catch (const StateError& error) {
        const std::lock_guard<std::mutex> lock(mutex_);
        said_ += std::string(error.what()) + "\n";
      }
    }
    FAIL("never opened: " << said_);
    return {};
  }

  FaultKind kind_;
  SimulatedDisk disk_;
  std::atomic<bool> met_{false};
  std::uint64_t changes_ = 0;  // calls that change the disk; guarded by the disk's own lock
  std::uint64_t changes_before_ = 0;
  Call first_ = Call::kRemove;
  std::atomic<StateFolder*> folder_{nullptr};
  std::atomic<std::uint64_t> floor_{0};
  std::uint64_t last_ = 0;
  std::mutex mutex_;
  std::string said_;
};

std::uint64_t Life::images = 0;

}  // namespace

TEST_CASE("state: any one call may fail") {
  const Expected expected(100);
  const FaultKind kinds[] = {{"EIO once", EIO, false, 1},
                             {"ENOSPC for 12 calls", ENOSPC, false, 12},
                             {"a short write", ENOSPC, true, 1}};
  for (const FaultKind& kind : kinds) {
    std::uint64_t n = 0;
    for (bool met = true; met; ++n) {
      INFO(std::string(kind.name));
      CAPTURE(n);
      Life life(kind, n);
      life.run();
      life.check(expected);
      met = life.met();
      REQUIRE(n < 2000);
    }
    MESSAGE(std::string(kind.name) << ": each of " << (n - 1) << " calls");
  }
  MESSAGE(Life::images << " crash images after faults");
}

TEST_CASE("state: a full disk is told, bounded and survived") {
  SimulatedDisk disk;
  Toy toy;
  StateFolder state(disk, "state", toy, quick_options());
  toy.attach(&state);
  REQUIRE(toy.teach() == Status::kOk);
  REQUIRE(state.flush(kLong));
  disk.set_fault([](Call call, std::uint64_t) {
    const bool takes_space = call == Call::kWrite || call == Call::kCreate ||
                             call == Call::kPreallocate || call == Call::kSync;
    return takes_space ? Fault{ENOSPC} : Fault{};
  });
  Status status = Status::kOk;
  int taken = 0;
  for (; taken < 1000 && status == Status::kOk; ++taken) status = toy.teach();
  CHECK(status == Status::kJournalBehind);
  CHECK(taken > 10);
  CHECK(eventually([&] { return !state.durable(); }));
  CHECK(state.acknowledged() == 1);
  CHECK_FALSE(state.flush(std::chrono::milliseconds{20}));
  const std::string problem = state.problem();
  INFO(problem);
  CHECK(problem.find("No space left") != std::string::npos);
  CHECK(problem.find("state/") != std::string::npos);
  CHECK(problem.find("Free some space") != std::string::npos);

  disk.set_fault({});
  CHECK(state.flush(kLong));
  CHECK(state.durable());
  CHECK(eventually([&] { return toy.teach() == Status::kOk; }));
  CHECK(state.flush(kLong));
  CHECK(eventually([&] { return state.problem().empty(); }));
  CHECK(state.acknowledged() == toy.last());
  // The new journal was followed by a snapshot, of its own accord.
  CHECK(eventually([&] {
    for (const auto& file : disk.files()) {
      if (file.first.find(".snapshot") == file.first.size() - 9) return true;
    }
    return false;
  }));
  Toy again;
  CHECK(StateFolder::read(disk, "state", again).last_sequence == toy.last());
  CHECK(again == toy);
}

}  // namespace jackdaw::state::test
