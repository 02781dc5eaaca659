// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/memory_plan.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "core/scratch.hpp"
#include "core/store_view.hpp"
#include "jackdaw/error.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

std::string refusal(const EnsembleSettings& settings) {
  try {
    static_cast<void>(plan_memory(settings));
  } catch (const CapacityError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, std::uint64_t number) {
  return text.find(std::to_string(number)) != std::string::npos;
}

EnsembleSettings any_settings(Rng& rng) {
  EnsembleSettings s =
      random_settings(kProfiles[between(rng, 0, 1)], kStores[between(rng, 0, 2)], rng);
  s.max_classes = between(rng, 1, 300);
  s.dimensions = between(rng, 1, 700);
  return s;
}

TEST_CASE("sections follow each other, aligned and without overlap, up to the total") {
  Rng rng(seed());
  for (int round = 0; round < 200; ++round) {
    const EnsembleSettings s = any_settings(rng);
    CAPTURE(name_of_case(s));
    const MemoryPlan plan = plan_memory(s);
    std::uint64_t end = 0;
    for (const PlannedSection& section : plan.sections) {
      CAPTURE(section.name);
      CHECK(section.offset % kSlabAlignment == 0);
      CHECK(section.offset >= end);
      CHECK(section.offset - end < kSlabAlignment);
      CHECK(section.bytes > 0);
      CHECK(plan.section(section.name).offset == section.offset);
      end = section.offset + section.bytes;
    }
    CHECK(plan.total_bytes >= end);
    CHECK(plan.total_bytes - end < kSlabAlignment);
  }
}

TEST_CASE("every section has the bytes that its arrays need, in both profiles") {
  Rng rng(seed());
  for (int round = 0; round < 100; ++round) {
    const EnsembleSettings s = any_settings(rng);
    CAPTURE(name_of_case(s));
    const bool of_seed = s.profile == Profile::kSeed;
    const std::uint64_t n = s.classifiers, c = s.max_classes,
                        stride = (s.dimensions + 31) / 32 * 32;
    const std::uint64_t entry = s.dimensions * (of_seed ? 4U : 1U) + 16U;
    std::map<std::string, std::uint64_t> expected = {
        {"keys", n * stride},
        {"rows", n * c * stride * (s.store == StoreType::kInt32 ? 4 : 2)},
        {"counts", n * c * 4},
        {"class counts", c * 4},
        {"class clipped", c * 4},
        {"packed keys", (n + 63) / 64 * 64 * stride},
        {"contexts", s.contexts * scratch_bytes(s)},
        {"teacher", scratch_bytes(s)}};
    if (s.batch_threads > 1) {
      EnsembleSettings one = s;
      one.max_batch = 1;
      expected["workers"] = (s.batch_threads - 1) * scratch_bytes(one);
    }
    if (s.undo_depth > 0) expected["undo ring"] = s.undo_depth * ((entry + 7) / 8 * 8);
    if (of_seed) {
      expected["key lengths"] = n * 4;
    } else {
      expected["class sums"] = c * stride * 4;
      expected["scatter"] = stride * stride * 4;
      expected["whitening"] = 2 * stride * stride * 4;
      expected["class norms"] = 2 * c * 4;
      expected["lessons"] = 16 * stride * 2;
      expected["refresh"] = stride * (stride + 1) * 8;
      expected["refresh sums"] = c * stride * 4;
      expected["refresh counts"] = c * 4;
    }
    const MemoryPlan plan = plan_memory(s);
    CHECK(plan.sections.size() == expected.size());
    for (const auto& [name, bytes] : expected) {
      CAPTURE(name);
      CHECK(plan.section(name).bytes == bytes);
    }
    const std::uint64_t of_profile = of_seed ? expected["key lengths"] : expected["class sums"];
    CHECK(store_bytes(s) == expected["keys"] + expected["rows"] + expected["counts"] + of_profile);
  }
}

TEST_CASE("one scratch area holds all of its arrays without overlap") {
  Rng rng(seed());
  for (int round = 0; round < 100; ++round) {
    const EnsembleSettings s = any_settings(rng);
    CAPTURE(name_of_case(s));
    const std::uint64_t bytes = scratch_bytes(s);
    Bytes memory(bytes + 64);
    auto* base = reinterpret_cast<std::byte*>(
        (reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
    const ScratchView v = scratch_at(base, s);
    const std::size_t stride = padded(s.dimensions), batch = s.max_batch;
    const bool of_seed = s.profile == Profile::kSeed;
    const std::size_t queries = of_seed ? 1 : kQueriesAtOnce;
    std::map<const void*, std::size_t> pieces = {// where -> how many bytes are used there
                                                 {v.similarities, batch * s.classifiers * 4},
                                                 {v.chosen, batch * s.nearest * 4},
                                                 {v.weights, batch * s.nearest * 4},
                                                 {v.examples, batch * stride * (of_seed ? 4 : 1)},
                                                 {v.query, queries * stride * 4},
                                                 {v.whitened, queries * stride * 4},
                                                 {v.dots, s.max_classes * 4UL},
                                                 {v.sums, s.max_classes * 4UL}};
    CHECK(pieces.size() == 8);
    if (!of_seed) pieces[v.lanes] = 16 * (2 * stride + 16) * 4;
    if (of_seed) {
      pieces[v.high] = batch * stride;
      pieces[v.low] = batch * 3 * stride;
      pieces[v.multipliers] = batch * 4;
      pieces[v.rests] = batch * 4;
      pieces[v.order] = s.classifiers * 4UL;
      pieces[v.candidates] = s.classifiers * 4UL;
      pieces[v.low_similarities] = s.classifiers * 12UL;
      pieces[v.next] = batch * s.nearest * 4;
      pieces[v.head] = s.classifiers * 4UL;
      pieces[v.answers] = batch * s.max_classes * 4;
      pieces[v.example_signs] = batch * stride;
      pieces[v.totals] = batch * 4;
      pieces[v.slots] = batch * 4;
      CHECK(pieces.size() == 21);
    }
    const std::byte* end = base;
    for (const auto& [at, size] : pieces) {
      CHECK(static_cast<const std::byte*>(at) >= end);
      end = static_cast<const std::byte*>(at) + size;
    }
    CHECK(end <= base + bytes);
  }
}

TEST_CASE(
    "a plan that just fits its budget is made; one byte less is an error that names the "
    "numbers") {
  Rng rng(seed());
  for (int round = 0; round < 50; ++round) {
    EnsembleSettings s = any_settings(rng);
    CAPTURE(name_of_case(s));
    const std::uint64_t total = plan_memory(s).total_bytes;
    s.budget_bytes = total;
    CHECK(plan_memory(s).total_bytes == total);
    s.budget_bytes = total - 1;
    const std::string text = refusal(s);
    CHECK(contains(text, total));
    CHECK(contains(text, total - 1));
    CHECK(contains(text, s.classifiers));
    CHECK(contains(text, s.max_classes));
    CHECK(contains(text, padded(s.dimensions)));
  }
}

TEST_CASE("the largest settings that are valid are planned exactly, not wrapped") {
  EnsembleSettings s;
  s.classifiers = 65536;
  s.nearest = 65536;
  s.dimensions = 8192;
  s.max_classes = 65536;
  s.contexts = 64;
  s.max_batch = 4096;
  s.undo_depth = 1U << 20U;
  for (const Profile profile : kProfiles) {
    s.profile = profile;
    s.store = StoreType::kInt32;
    s.budget_bytes = 0;
    const MemoryPlan plan = plan_memory(s);
    CHECK(plan.section("rows").bytes == 140737488355328U);  // 2^16 * 2^16 * 2^13 * 4
    CHECK(plan.total_bytes > 140737488355328U);
    s.budget_bytes = 1U << 30U;
    const std::string text = refusal(s);
    CHECK(contains(text, plan.total_bytes));
    CHECK(contains(text, 1U << 30U));
    s.budget_bytes = 0;
    // More than can be addressed: an error from set-up, not a crash. (Sanitizers end the program.)
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK_THROWS_AS(make_ensemble(s, Device::kCpu), CapacityError);
#endif
  }
}

TEST_CASE("invalid settings are not planned, and an unknown section is an error that names it") {
  EnsembleSettings s;
  s.nearest = s.classifiers + 1;
  CHECK_THROWS_AS(static_cast<void>(plan_memory(s)), SettingsError);
  s.nearest = 1;
  CHECK_THROWS_WITH_AS(static_cast<void>(plan_memory(s).section("attic")),
                       "the memory plan has no section 'attic'", CapacityError);
}

}  // namespace
}  // namespace jackdaw::testing
