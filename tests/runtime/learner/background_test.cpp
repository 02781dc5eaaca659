// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The refresh in the background, and what the frame path allocates: nothing.
#include <chrono>
#include <thread>

#include "runtime/learner/learner_support.hpp"
#include "support/temporary_folder.hpp"
#include "support/allocation_counter.hpp"

namespace jackdaw::testing {
namespace {

template <class Condition>
bool within(double seconds, const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return condition();
}

bool same_scores(Learner& a, Learner& b, World queries) {
  for (std::size_t c = 0; c < 10; ++c) {
    const std::vector<float> query = queries.draw(c);
    const Answer x = answer_of(a, query);
    const Answer y = answer_of(b, query);
    if (x.ranked.size() != y.ranked.size()) return false;
    for (std::size_t i = 0; i < x.ranked.size(); ++i) {
      if (x.ranked[i].label != y.ranked[i].label || x.ranked[i].score != y.ranked[i].score)
        return false;
    }
  }
  return true;
}

TEST_CASE(
    "Answers become those of an explicit refresh within a few seconds after the last example") {
  LearnerSettings settings = small();
  settings.refresh_in_background = true;
  Learner background(settings);
  Learner by_hand(small());
  World world = small_world(90);
  const World queries = small_world(91);
  const std::vector<float> query = small_world(91).draw(0);
  for (const int count : {3, 400, 1}) {  // at once; by shares; one that waits for the longest pause
    for (int i = 0; i < count; ++i) {
      const std::size_t c = world.below(5);
      const std::vector<float> embedding = world.draw(c);
      REQUIRE(background.teach(embedding, World::name(c)) == Status::kOk);
      REQUIRE(by_hand.teach(embedding, World::name(c)) == Status::kOk);
    }
    const float old_score = answer_of(by_hand, query).best().score;
    REQUIRE(by_hand.refresh() == Status::kOk);
    CHECK(answer_of(by_hand, query).best().score != old_score);  // or this test would say nothing
    CHECK(within(10.0, [&] { return same_scores(background, by_hand, queries); }));
  }
  REQUIRE(background.undo(1) == Status::kOk);
  REQUIRE(by_hand.undo(1) == Status::kOk);
  REQUIRE(by_hand.refresh() == Status::kOk);
  CHECK(within(10.0, [&] { return same_scores(background, by_hand, queries); }));
  CHECK(background.statistics().refreshes >= 3);
  CHECK(background.statistics().last_refresh_seconds > 0.0);
  CHECK(by_hand.statistics().refreshes == 4);
}

TEST_CASE("Nothing is refreshed while nothing is taught, and not once for every example of many") {
  LearnerSettings settings = small();
  settings.refresh_in_background = true;
  Learner learner(settings);
  World world = small_world(92);
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  CHECK(learner.statistics().refreshes == 0);
  teach(learner, world, 0, 2000);
  CHECK(within(10.0, [&] { return learner.statistics().refreshes > 0; }));
  CHECK(learner.statistics().refreshes < 300);
}

TEST_CASE("A learner that is destroyed while a refresh is due does not wait for it") {
  LearnerSettings settings = small();
  settings.refresh_in_background = true;
  World world = small_world(93);
  const auto start = std::chrono::steady_clock::now();
  {
    Learner learner(settings);
    teach(learner, world, 0, 200);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(took.count() < 1.5);
}

TEST_CASE("Neither predict nor teach nor undo allocates after the first call") {
  for (const Profile profile : kProfiles) {
    for (const bool on_disk : {false, true}) {
      CAPTURE(on_disk);
      TemporaryFolder folder;
      LearnerSettings settings = small(profile);
      if (on_disk) settings.folder = folder.path("state");
      Learner learner(settings);
      World world = small_world(94);
      std::vector<std::vector<float>> embeddings;
      std::vector<std::string> names;
      for (std::size_t i = 0; i < 300; ++i) {
        embeddings.push_back(world.draw(i % 6));
        names.push_back(World::name(i % 6));
      }
      Answer answer = learner.make_answer();
      REQUIRE(learner.teach(embeddings[0], names[0]) == Status::kOk);
      REQUIRE(learner.predict(embeddings[0], answer) == Status::kOk);
      if (on_disk) REQUIRE(learner.flush(20.0));

      // The journal's thread may allocate in its own time; what counts is what these calls do.
      std::uint64_t allocated = 0;
      const auto count = [&](const auto& call) {
        const std::uint64_t before = allocations();
        const Status status = call();
        allocated += allocations() - before;
        REQUIRE(status == Status::kOk);
      };
      for (std::size_t i = 1; i < 300; ++i) {
        count([&] { return learner.teach(embeddings[i], names[i]); });
        count([&] { return learner.predict(embeddings[i], answer); });
        if (i % 10 == 0) count([&] { return learner.undo(2); });
        if (i % 15 == 0) count([&] { return learner.move(2, names[0]); });
      }
      count([&] { return learner.rename(names[1], "renamed"); });
      count([&] { return learner.forget(names[2]); });
      count([&] { return learner.add_class("another"); });
      count([&] { return learner.refresh(); });
      CHECK(allocated <= (on_disk ? 2 : 0));
    }
  }
}

TEST_CASE("The allocation counter counts") {
  const std::uint64_t before = allocations();
  const std::vector<int> some(100);
  CHECK(allocations() > before);
}

}  // namespace
}  // namespace jackdaw::testing
