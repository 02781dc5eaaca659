// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// kill -9 at any moment: what comes back is the state after some beginning of what was done, and
// at least after everything that had been reported as durable.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "runtime/learner/learner_support.hpp"
#include "runtime/learner/operations.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

constexpr int kPipe = 17;  // the child's end, under this number
constexpr const char* kChild = "(the program that is killed)";

struct Report {
  std::uint64_t last = 0;
  std::uint64_t durable = 0;
};

std::uint64_t number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

// Runs in a process of its own, until it is killed: this program again, for this one case.
TEST_CASE("(the program that is killed)" * doctest::skip()) {
  const char* folder = std::getenv("JACKDAW_KILL_FOLDER");
  if (folder == nullptr) return;
  const Profile profile =
      number_from("JACKDAW_KILL_PROFILE") == 0 ? Profile::kDefault : Profile::kSeed;
  Learner learner(small_in(folder, profile));
  const Operations operations(number_from("JACKDAW_KILL_SEED"), 24);
  std::thread snapshooter;
  if (number_from("JACKDAW_KILL_SNAPSHOTS") != 0) {
    snapshooter = std::thread([&] {
      for (;;) learner.snapshot();
    });
  }
  for (std::uint64_t i = number_from("JACKDAW_KILL_FIRST");; ++i) {
    static_cast<void>(operations.apply_small(i, learner));
    const LearnerStatistics statistics = learner.statistics();
    const Report report{statistics.last_sequence, statistics.durable_sequence};
    if (::write(kPipe, &report, sizeof(report)) != sizeof(report)) std::_Exit(0);
    if (i % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds{300});
  }
}

void set_number(const char* variable, std::uint64_t value) {
  ::setenv(variable, std::to_string(value).c_str(), 1);
}

// Starts the child, kills it after a while, and gives what it said last.
Report run_and_kill(std::chrono::milliseconds after) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const std::string only = std::string("--test-case=") + kChild;
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], kPipe);
    ::close(ends[0]);
    if (ends[1] != kPipe) ::close(ends[1]);
    ::execl("/proc/self/exe", "learner_kill_test", only.c_str(), "--no-skip", "--out=/dev/null",
            static_cast<char*>(nullptr));
    std::_Exit(127);
  }
  REQUIRE(child > 0);
  ::close(ends[1]);
  std::atomic<bool> started{false};
  std::thread killer([&] {
    while (!started) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
  });
  Report last;
  Report report;
  while (::read(ends[0], &report, sizeof(report)) == sizeof(report)) {
    last = report;
    started = true;
  }
  started = true;
  killer.join();
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGKILL);
  return last;
}

void kill_again_and_again(Profile profile, std::uint64_t stream, int rounds) {
  TemporaryFolder folder;
  Learner twin(small(profile));
  const std::uint64_t chosen = seed() * 1000 + stream;
  const Operations operations(chosen, 24);
  ::setenv("JACKDAW_KILL_FOLDER", folder.path("state").c_str(), 1);
  set_number("JACKDAW_KILL_PROFILE", profile == Profile::kSeed ? 1 : 0);
  set_number("JACKDAW_KILL_SEED", chosen);
  std::mt19937_64 random(chosen);
  std::uint64_t next = 0;  // the first operation that the state does not hold
  std::uint64_t lost = 0;
  for (int round = 0; round < rounds; ++round) {
    set_number("JACKDAW_KILL_FIRST", next);
    set_number("JACKDAW_KILL_SNAPSHOTS", static_cast<std::uint64_t>(round % 3));
    const Report report = run_and_kill(std::chrono::milliseconds{random() % 260});
    CAPTURE(round);
    CAPTURE(report.last);
    CAPTURE(report.durable);
    Learner found = load_copy(folder.path("state"));
    const std::uint64_t sequence = found.statistics().last_sequence;
    CAPTURE(sequence);
    REQUIRE(sequence >= report.durable);
    REQUIRE(sequence <= report.last + 1);  // it may have been killed before it could report
    REQUIRE(sequence >= twin.statistics().last_sequence);  // nothing from an earlier life is lost
    while (twin.statistics().last_sequence < sequence) {
      static_cast<void>(operations.apply_small(next, twin));
      ++next;
    }
    REQUIRE(contents_of(found) == contents_of(twin));
    lost += report.last - std::min(sequence, report.last);
  }
  MESSAGE(rounds << " kills, " << next << " operations, " << lost
                 << " lost that were not acknowledged");
  CHECK(next > 100);
}

TEST_CASE(
    "Killed at any moment, it comes back with every acknowledged change and nothing invented") {
  kill_again_and_again(Profile::kDefault, 1, 8);
  kill_again_and_again(Profile::kSeed, 2, 4);
}

TEST_SUITE("slow") {
  TEST_CASE("Killed many times") {
    kill_again_and_again(Profile::kDefault, 3, 120);
    kill_again_and_again(Profile::kSeed, 4, 60);
  }
}

}  // namespace
}  // namespace jackdaw::testing
