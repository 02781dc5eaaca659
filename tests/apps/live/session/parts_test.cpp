// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <thread>

#include "live/session/bursts.hpp"
#include "live/session/errands.hpp"
#include "live/session/meters.hpp"
#include "live/session/recorder.hpp"
#include "live/session/smoothing.hpp"
#include "live/session/variation_queue.hpp"

namespace jackdaw::live {
namespace {

Answer answer_of(std::uint32_t slot, float confidence) {
  Answer answer;
  answer.ranked.push_back({Label("x"), slot, confidence, 1.0F, 1.0F});
  answer.unknown = confidence < 0.5F;
  answer.unknown_confidence = 1.0F - confidence;
  return answer;
}

TEST_CASE("smoothing is the mean of the last eight frames of the last second") {
  Smoothing smoothing(3);
  std::vector<SmoothedClass> ranked;
  smoothing.rank(8, ranked);
  CHECK(ranked.empty());
  CHECK(smoothing.unknown() == 1.0);
  for (int i = 0; i < 6; ++i) smoothing.add(answer_of(0, 0.9F), 0.01 * i);
  for (int i = 6; i < 8; ++i) smoothing.add(answer_of(2, 0.8F), 0.01 * i);
  smoothing.rank(8, ranked);
  REQUIRE(ranked.size() == 2);
  CHECK(ranked[0].slot == 0);
  CHECK(ranked[0].confidence == doctest::Approx(0.9 * 6 / 8));
  CHECK(ranked[1].confidence == doctest::Approx(0.8 * 2 / 8));
  CHECK(smoothing.unknown() == doctest::Approx((0.1 * 6 + 0.2 * 2) / 8));
  smoothing.rank(1, ranked);
  CHECK(ranked.size() == 1);
  smoothing.forget(0);
  CHECK(smoothing.unknown() == doctest::Approx((1.0 * 6 + 0.2 * 2) / 8));
  smoothing.add(answer_of(1, 0.6F), 5.0);  // the others are too old
  smoothing.rank(8, ranked);
  REQUIRE(ranked.size() == 1);
  CHECK(ranked[0].confidence == doctest::Approx(0.6));
}

TEST_CASE("a steady rate reads as what it is") {
  RateMeter meter;
  CHECK(meter.rate(0.0) == 0.0);
  for (int i = 0; i <= 90; ++i) meter.tick(i / 30.0);
  CHECK(meter.rate(3.0) == doctest::Approx(30.0));
  CHECK(meter.rate(9.0) == 0.0);  // nothing came for long
}

TEST_CASE("lessons of two bursts in turns are told apart") {
  Bursts bursts;
  const std::uint64_t a = bursts.begin(0).id, b = bursts.begin(1).id;
  for (const std::uint64_t s : {5U, 6U, 9U}) bursts.add_lesson(*bursts.find(a), s);
  for (const std::uint64_t s : {7U, 8U}) bursts.add_lesson(*bursts.find(b), s);
  CHECK(bursts.find(a)->ranges.size() == 2);
  CHECK(bursts.find(a)->last() == 9);
  CHECK(bursts.newest()->id == b);
  bursts.remove(b);
  CHECK(bursts.newest()->id == a);
  for (std::uint64_t i = 0; i < 2 * Bursts::kMost; ++i) bursts.add_lesson(bursts.begin(0), 100 + i);
  CHECK(bursts.find(a) == nullptr);
  CHECK(bursts.all().size() == Bursts::kMost);
  const std::uint64_t taught = bursts.all().back().id;
  for (std::size_t i = 0; i < 2 * Bursts::kMost; ++i) bursts.begin(0);
  CHECK(bursts.find(taught) != nullptr);  // those that taught nothing went first
  bursts.remove_slot(0);
  CHECK(bursts.all().empty());
}

TEST_CASE("errands are done by the loop, given up in time, and refused at the end") {
  Errands errands;
  CHECK_FALSE(errands.ask([] {}, 0.01));  // nobody runs them
  errands.run();                          // what was given up is not done later
  std::thread loop([&] {
    while (!errands.waiting()) std::this_thread::yield();
    errands.run();
  });
  bool done = false;
  CHECK(errands.ask([&] { done = true; }, 20.0));
  CHECK(done);
  loop.join();
  errands.close();
  CHECK_FALSE(errands.ask([] {}, 20.0));
}

TEST_CASE("the queue of variations is bounded and lets go of what is taken back") {
  VariationQueue queue;
  std::vector<std::byte> pixels(3 * 10 * 8);
  const FrameView frame{PixelFormat::kBgr, 10, 8, pixels.data(), 30};
  for (std::size_t i = 0; i < VariationQueue::kMost; ++i) {
    CHECK(queue.push(frame, i, i % 2, static_cast<std::uint32_t>(i % 2)));
  }
  CHECK_FALSE(queue.push(frame, 1, 1, 1));
  queue.drop_burst(0);
  for (std::size_t i = 0; i < VariationQueue::kMost / 2; ++i) {
    REQUIRE(queue.front() != nullptr);
    CHECK(queue.front()->burst == 1);
    queue.pop();
  }
  CHECK(queue.front() == nullptr);
  CHECK(queue.push(frame, 1, 7, 3));
  queue.move_burst(7, 5);
  CHECK(queue.front()->slot == 5);
  queue.drop_slot(5);
  CHECK(queue.front() == nullptr);
}

TEST_CASE("a class's folder is within the folder and its own") {
  CHECK(folder_name("mug") == "mug");
  CHECK(folder_name("..") == "%2E%2E");
  CHECK(folder_name("a/b") == "a%2Fb");
  CHECK(folder_name("a%2Fb") == "a%252Fb");
  CHECK(folder_name("grün-2_x") == "grün-2_x");
}

}  // namespace
}  // namespace jackdaw::live
