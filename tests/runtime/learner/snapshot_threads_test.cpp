// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Teaching, answering, refreshing and taking snapshots at the same time, in threads of their own.
#include <atomic>
#include <thread>

#include "runtime/learner/learner_support.hpp"
#include "runtime/learner/operations.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

// Changes a learner while snapshots are taken, and its twin alike, until so many were taken.
std::uint64_t live_through(Learner& learner, Learner& twin, std::uint64_t stream,
                           std::uint64_t first, int snapshots) {
  const Operations operations(seed() * 10 + stream, 24);
  std::atomic<int> taken{0};
  std::thread snapshooter([&] {
    for (; taken < snapshots; ++taken) learner.snapshot();
  });
  std::uint64_t i = first;
  for (std::uint64_t more = 20; more > 0; ++i) {
    static_cast<void>(operations.apply(i, learner));
    static_cast<void>(operations.apply(i, twin));
    if (taken == snapshots) --more;  // so that the last snapshot is never the last word
    if (i % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  snapshooter.join();
  return i;
}

TEST_CASE("Snapshots taken while everything changes give back the state of an undisturbed twin") {
  for (std::uint64_t stream = 0; stream < 3; ++stream) {
    CAPTURE(stream);
    const Profile profile = stream == 2 ? Profile::kSeed : Profile::kDefault;
    TemporaryFolder folder;
    LearnerSettings settings = small_in(folder.path("state"), profile);
    settings.refresh_in_background = true;
    Learner twin(small(profile));
    std::uint64_t next = 0;
    for (int round = 0; round < 3; ++round) {
      Bytes names;
      {
        Learner learner(settings);
        REQUIRE(contents_of(learner) == contents_of(twin));
        next = live_through(learner, twin, stream, next, 3);
        names = names_of(learner);
        REQUIRE(contents_of(learner) == contents_of(twin));
      }
      Learner again(settings);
      REQUIRE(contents_of(again) == contents_of(twin));
      REQUIRE(names_of(again) == names);
    }
    MESSAGE("stream " << stream << ": " << next << " operations");
  }
}

TEST_CASE("Several threads answer while others teach, refresh, look and take snapshots") {
  TemporaryFolder folder;
  LearnerSettings settings = small_in(folder.path("state"));
  settings.ensemble.contexts = 2;
  settings.refresh_in_background = true;
  Learner learner(settings);
  std::atomic<bool> stop{false};
  std::atomic<int> bad{0};
  std::atomic<int> answers{0};
  std::vector<std::thread> threads;
  for (std::uint32_t context = 0; context < 2; ++context) {
    threads.emplace_back([&, context] {
      World world = small_world(70 + context);
      Answer answer = learner.make_answer();
      while (!stop) {
        if (learner.predict(world.draw(world.below(10)), answer, context) != Status::kOk) ++bad;
        double sum = static_cast<double>(answer.unknown_confidence);
        for (const RankedLabel& r : answer.ranked) {
          sum += static_cast<double>(r.confidence);
          if (r.label.empty()) ++bad;
        }
        if (!(sum > 0.999 && sum < 1.001)) ++bad;
        ++answers;
      }
    });
  }
  threads.emplace_back([&] {
    while (!stop) {
      if (learner.refresh() != Status::kOk) ++bad;
      if (learner.statistics().durable_sequence > learner.statistics().last_sequence) ++bad;
      if (learner.recent().size() > 16) ++bad;
    }
  });
  threads.emplace_back([&] {
    while (!stop) learner.snapshot();
  });
  const Operations operations(seed() + 80, 24);
  for (std::uint64_t i = 0; i < 1500; ++i) static_cast<void>(operations.apply(i, learner));
  while (answers < 100) std::this_thread::yield();
  stop = true;
  for (std::thread& thread : threads) thread.join();
  CHECK(bad == 0);
  Learner twin(small());
  for (std::uint64_t i = 0; i < 1500; ++i) static_cast<void>(operations.apply(i, twin));
  CHECK(contents_of(learner) == contents_of(twin));
}

}  // namespace
}  // namespace jackdaw::testing
