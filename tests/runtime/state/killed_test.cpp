// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A process is killed at every call it makes; what it had written but not synced stays visible, in
// the kernel's cache. The next process reads that, goes on, and then the power fails. What the
// first one acknowledged and what the second one acknowledged must both be there: the second must
// not build on what only the cache held. Once with a plain kill, once after a failed sync, which
// makes the kernel forget that the data was never written.

#include <doctest/doctest.h>

#include <atomic>
#include <cerrno>

#include "crash_promise.hpp"
#include "crash_simulator.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

class KilledLife {
 public:
  KilledLife() {
    disk_.record([this] {
      const StateFolder* now = folder_.load();
      return now != nullptr ? now->acknowledged() : floor_.load();
    });
  }

  // Dies at its nth call; false when it ended before.
  bool first(std::uint64_t n, bool failed_sync) {
    std::atomic<bool> dead{false};
    disk_.set_fault([&, n, failed_sync](Call call, std::uint64_t index) {
      if (dead.load()) return Fault{kDead};
      if (index < n) return Fault{};
      if (!failed_sync) {
        dead.store(true);
        return Fault{kDead};
      }
      // The first sync from here on fails; then the process dies.
      if (call != Call::kSync) return Fault{};
      dead.store(true);
      return Fault{EIO};
    });
    live(dead);
    disk_.set_fault({});
    return dead.load();
  }

  void second() {
    const std::atomic<bool> dead{false};
    begin_ = disk_.log().size();
    live(dead);
  }

  std::uint64_t check(const Expected& expected) const {
    CrashSimulator crash(disk_.log(), disk_.initial());
    std::uint64_t images = 0;
    for (std::size_t calls = begin_; calls <= crash.size(); ++calls) {
      crash.stop_after(calls);
      images += check_promise(crash, calls, expected);
    }
    return images;
  }

 private:
  void live(const std::atomic<bool>& dead) {
    StateOptions options = quick_options();
    options.longest_wait = std::chrono::milliseconds{20};
    Toy toy;
    std::unique_ptr<StateFolder> state;
    try {
      state = std::make_unique<StateFolder>(disk_, "state", toy, options);
    } catch (const StateError&) {
      REQUIRE(dead.load());
      return;
    }
    folder_.store(state.get());
    toy.attach(state.get());
    const auto until_done = [&](const std::function<bool(std::chrono::milliseconds)>& step) {
      const auto deadline = std::chrono::steady_clock::now() + kLong;
      while (!dead.load() && !step(std::chrono::milliseconds{5})) {
        REQUIRE(std::chrono::steady_clock::now() < deadline);
      }
    };
    for (int i = 0; i < 12 && !dead.load(); ++i) {
      static_cast<void>(toy.teach());
      if (i % 3 == 2) until_done([&](auto time) { return state->flush(time); });
      if (i == 4 || i == 8) until_done([&](auto time) { return state->snapshot(time); });
    }
    floor_.store(state->acknowledged());
    folder_.store(nullptr);
  }

  SimulatedDisk disk_;
  std::atomic<StateFolder*> folder_{nullptr};
  std::atomic<std::uint64_t> floor_{0};
  std::size_t begin_ = 0;
};

}  // namespace

TEST_CASE("state: killed, started again, then power loss") {
  const Expected expected(40);
  for (const bool failed_sync : {false, true}) {
    std::uint64_t images = 0;
    std::uint64_t n = 0;
    for (bool died = true; died; ++n) {
      CAPTURE(failed_sync);
      CAPTURE(n);
      KilledLife life;
      died = life.first(n, failed_sync);
      life.second();
      images += life.check(expected);
      REQUIRE(n < 1000);
    }
    MESSAGE(std::string(failed_sync ? "failed sync and kill" : "kill")
            << " at each of " << (n - 1) << " calls, " << images << " images");
  }
}

}  // namespace jackdaw::state::test
