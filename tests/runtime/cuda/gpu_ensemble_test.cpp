// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The CUDA backend's ensemble, its Gpu emulated, against the CPU backend: the same calls, the same
// answers and the same bytes in every section, whatever is called in which order.

#include "cuda/gpu_ensemble.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>

#include "emulation/emulated_gpu.hpp"
#include "ensemble_pair.hpp"
#include "jackdaw/error.hpp"
#include "scenarios.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

using emulation::EmulatedGpu;

EnsembleSettings small(Profile profile, StoreType store) {
  EnsembleSettings s = settings_for(profile, store, {40, 9, 35, 5});
  s.contexts = 2;
  return s;
}

// Two threads ask while a third teaches: every answer must be the one the
// CPU gives after some number of the examples. Returns how many were not.
int answers_from_nowhere(bool ordered) {
  EnsembleSettings s = small(Profile::kDefault, StoreType::kInt16);
  constexpr int kTaught = 12;
  Pair pair(s, 11);
  std::uint32_t slot = 0;
  pair.both([&](Ensemble& e) { return e.open_class(slot); });
  const auto question = pair.example(1);
  std::vector<std::vector<std::byte>> lessons;
  std::vector<std::vector<ClassScore>> possible;
  const auto ask = [&](Ensemble& e, std::uint32_t context) {
    std::vector<ClassScore> scores(s.max_classes);
    CHECK(e.predict(context, question, scores) == Status::kOk);
    return scores;
  };
  possible.push_back(ask(pair.cpu(), 0));
  for (int i = 0; i < kTaught; ++i) {
    lessons.push_back(pair.example(1));
    CHECK(pair.cpu().teach(lessons.back(), slot, Part::kBoth) == Status::kOk);
    possible.push_back(ask(pair.cpu(), 0));
  }
  if (!ordered) pair.emulated->ignore_order();
  std::vector<std::vector<ClassScore>> given[2];
  std::atomic<bool> done{false};
  const auto keep_asking = [&](std::uint32_t context) {
    while (!done) given[context].push_back(ask(pair.gpu(), context));
  };
  std::thread first(keep_asking, 0);
  std::thread second(keep_asking, 1);
  for (const auto& lesson : lessons)
    CHECK(pair.gpu().teach(lesson, slot, Part::kBoth) == Status::kOk);
  done = true;
  first.join();
  second.join();
  int unknown = 0;
  for (const auto& answers : given) {
    for (const auto& answer : answers) {
      const bool known = std::any_of(possible.begin(), possible.end(), [&](const auto& p) {
        return std::memcmp(p.data(), answer.data(), p.size() * sizeof(ClassScore)) == 0;
      });
      unknown += known ? 0 : 1;
    }
  }
  if (ordered) pair.compare_stores();
  return unknown;
}

}  // namespace

TEST_CASE("cuda ensemble: answers while it is taught are answers of some moment") {
  CHECK(answers_from_nowhere(true) == 0);
}

TEST_CASE("cuda ensemble: without the order between lanes the check above fails") {
  int unknown = 0;
  for (int tries = 0; tries < 20 && unknown == 0; ++tries) unknown = answers_from_nowhere(false);
  CHECK(unknown > 0);
}

TEST_CASE("cuda ensemble: the same as the CPU's, whatever is called") {
  const std::uint64_t seed = testing::seed();
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    for (const StoreType store : {StoreType::kInt16, StoreType::kHalf}) {
      CAPTURE(name_of(profile));
      CAPTURE(name_of(store));
      Pair pair(small(profile, store), seed);
      const unsigned allocations = pair.emulated->allocations();
      for (int call = 0; call < 150; ++call) pair.random_call();
      pair.compare_stores();
      pair.compare_answers(0, 2);
      CHECK(pair.emulated->allocations() == allocations);
      CHECK(allocations == 2);  // the device's slab and the pinned one
      CHECK(pair.emulated->recorded() == 2);
      CHECK(pair.gpu().answers_as_graph());
      CHECK_FALSE(pair.cpu().answers_as_graph());
    }
  }
}

TEST_CASE("cuda ensemble: where no graph can be recorded it says so, and works") {
  auto gpu = std::make_unique<emulation::EmulatedGpu>(testing::seed());
  gpu->refuse_graphs();
  const auto ensemble =
      cuda::make_gpu_ensemble(small(Profile::kDefault, StoreType::kInt16), {}, std::move(gpu));
  CHECK_FALSE(ensemble->answers_as_graph());
}

TEST_CASE("cuda ensemble: at the usual size") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(name_of(profile));
    EnsembleSettings s;
    s.profile = profile;
    s.max_classes = 6;
    s.max_batch = 4;
    Pair pair(s, testing::seed());
    std::uint32_t slot = 0;
    for (int c = 0; c < 3; ++c) pair.both([&](Ensemble& e) { return e.open_class(slot); });
    for (std::uint32_t i = 0; i < 6; ++i) {
      const auto x = pair.example(i % 3);
      pair.both([&](Ensemble& e) { return e.teach(x, i % 3, Part::kBoth); });
    }
    pair.both([&](Ensemble& e) { return e.refresh(); });
    pair.compare_answers(0, 2);
    pair.compare_stores();
  }
}

// Examples are bytes that may come from elsewhere than admit().
TEST_CASE("cuda ensemble: elements beyond those of a unit vector choose as on the CPU") {
  Pair pair(small(Profile::kSeed, StoreType::kInt16), testing::seed());
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {1.0F, -1.0F, 1.5F, -1.5F, 1e9F, -1e9F, kInfinity, -kInfinity, kNan}) {
    CAPTURE(value);
    auto x = pair.example(1);
    std::memcpy(x.data() + 7 * sizeof value, &value, sizeof value);
    std::vector<std::uint32_t> expected(pair.cpu().settings().nearest);
    auto chosen = expected;
    CHECK(pair.cpu().nearest(0, x, expected) == Status::kOk);
    CHECK(pair.gpu().nearest(0, x, chosen) == Status::kOk);
    CHECK(chosen == expected);
  }
}

TEST_CASE("cuda ensemble: full counters are refused, in a batch from that example on") {
  Pair pair(small(Profile::kDefault, StoreType::kInt16), 3);
  std::uint32_t slot = 0;
  pair.both([&](Ensemble& e) { return e.open_class(slot); });
  auto shared = shared_of(pair.cpu());
  const std::int32_t nearly = std::numeric_limits<std::int32_t>::max() - 300;
  std::memcpy(shared.data(), &nearly, 4);
  pair.both([&](Ensemble& e) { return e.import_shared(shared); });
  std::vector<std::byte> x(pair.cpu().example_bytes());
  x[0] = std::byte{12};  // adds 144
  pair.both([&](Ensemble& e) { return e.teach(x, slot, Part::kBoth); });
  CHECK(pair.last == Status::kOk);
  auto three = x;
  for (int i = 0; i < 2; ++i) three.insert(three.end(), x.begin(), x.end());
  const std::vector<std::uint32_t> slots(3, slot);
  pair.both([&](Ensemble& e) { return e.teach_batch(three, slots); });
  CHECK(pair.last == Status::kCountersFull);
  CHECK(pair.gpu().class_count(slot) == 2);
  pair.compare_stores();
}

TEST_CASE("cuda ensemble: what is wrong is refused") {
  Pair pair(small(Profile::kDefault, StoreType::kInt16), 4);
  const std::vector<std::byte> bytes(pair.cpu().example_bytes());
  const std::vector<std::byte> more(bytes.size() + 1);
  std::vector<ClassScore> scores(pair.cpu().settings().max_classes);
  std::vector<std::uint32_t> chosen(pair.cpu().settings().nearest);
  pair.both([&](Ensemble& e) { return e.predict(0, more, scores); });
  pair.both([&](Ensemble& e) { return e.predict(2, bytes, scores); });
  pair.both([&](Ensemble& e) { return e.predict(0, bytes, Span<ClassScore>(scores).first(1)); });
  pair.both([&](Ensemble& e) { return e.predict_batch(0, {}, {}); });
  pair.both([&](Ensemble& e) { return e.nearest(0, more, chosen); });
  pair.both([&](Ensemble& e) { return e.teach(more, 0, Part::kBoth); });
  pair.both([&](Ensemble& e) { return e.teach(bytes, 0, Part::kBoth); });
  pair.both([&](Ensemble& e) { return e.unteach(bytes, 9, Part::kBoth); });
  pair.both([&](Ensemble& e) { return e.teach_batch({}, {}); });
  pair.both([&](Ensemble& e) { return e.close_class(0); });
  pair.both([&](Ensemble& e) { return e.open_slot(99); });
  pair.both([&](Ensemble& e) { return e.import_class(0, more); });
  pair.both([&](Ensemble& e) { return e.import_shared(more); });
  pair.both([&](Ensemble& e) {
    std::uint32_t slot = 0;
    return e.open_class(slot);
  });
  pair.both([&](Ensemble& e) { return e.unteach(bytes, 0, Part::kBoth); });
  EnsembleSettings wide = small(Profile::kDefault, StoreType::kInt32);
  CHECK_THROWS_AS(cuda::make_gpu_ensemble(wide, {}, std::make_unique<EmulatedGpu>(1)),
                  SettingsError);
  const EnsembleSettings seed = small(Profile::kSeed, StoreType::kInt16);
  const std::vector<std::int8_t> keys(std::size_t{seed.classifiers} * seed.dimensions, 1);
  CHECK_THROWS_AS(cuda::make_gpu_ensemble(seed, keys, std::make_unique<EmulatedGpu>(1)),
                  SettingsError);
  EnsembleSettings poor = small(Profile::kDefault, StoreType::kInt16);
  poor.budget_bytes = 1000;
  CHECK_THROWS_AS(cuda::make_gpu_ensemble(poor, {}, std::make_unique<EmulatedGpu>(1)),
                  CapacityError);
}

TEST_CASE("cuda ensemble: a failing device is reported and nothing is thrown") {
  const EnsembleSettings s = small(Profile::kDefault, StoreType::kInt16);
  int call = 1;
  for (;; ++call) {  // each call of the set-up in turn
    auto gpu = std::make_unique<EmulatedGpu>(1);
    gpu->fail_at(call);
    EmulatedGpu* watched = gpu.get();
    try {
      const auto ensemble = cuda::make_gpu_ensemble(s, {}, std::move(gpu));
      CHECK(!watched->failed());
      break;
    } catch (const CudaError&) {
    }
  }
  CHECK(call > 10);
  testing::take_log();
  Pair pair(s, 5);
  std::uint32_t slot = 0;
  pair.both([&](Ensemble& e) { return e.open_class(slot); });
  const auto x = pair.example(1);
  std::vector<ClassScore> scores(s.max_classes);
  pair.emulated->fail_at(2);
  CHECK(pair.gpu().predict(0, x, scores) == Status::kDeviceFailed);
  CHECK(testing::take_log().size() == 1);
  // The device would work again, but what it holds cannot be trusted: nothing is taught or saved.
  std::vector<std::byte> section(pair.gpu().class_section_bytes());
  CHECK(pair.gpu().teach(x, slot, Part::kBoth) == Status::kDeviceFailed);
  CHECK(pair.gpu().export_class(slot, section) == Status::kDeviceFailed);
  CHECK(pair.gpu().refresh() == Status::kDeviceFailed);
}

TEST_CASE("cuda ensemble: the caller's streams are used") {
  const EnsembleSettings s = small(Profile::kSeed, StoreType::kHalf);
  auto gpu = std::make_unique<EmulatedGpu>(1);
  EmulatedGpu* watched = gpu.get();
  int a = 0;
  int b = 0;
  void* const streams[] = {&a, &b};
  const auto ensemble = cuda::make_gpu_ensemble(s, {}, std::move(gpu), streams);
  CHECK(watched->stream_of(0) == &a);
  CHECK(watched->stream_of(1) == &b);
  CHECK_THROWS_AS(cuda::make_gpu_ensemble(s, {}, std::make_unique<EmulatedGpu>(1),
                                          Span<void* const>(streams).first(1)),
                  SettingsError);
}

}  // namespace jackdaw
