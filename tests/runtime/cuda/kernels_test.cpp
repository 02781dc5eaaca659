// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The kernels, run in the emulation, against the reference: every size that is awkward, both
// profiles, both store types, several schedules. Seeds are in the messages.

#include <doctest/doctest.h>

#include <string>

#include "scenarios.hpp"

namespace jackdaw {
namespace {

using Check = Faults (*)(const EnsembleSettings&, std::uint64_t);

void require_none(Check check, const EnsembleSettings& s, std::uint64_t seed) {
  INFO("seed ", seed, " profile ", name_of(s.profile), " store ", name_of(s.store), " n ",
       s.classifiers, " k ", s.nearest, " d ", s.dimensions, " classes ", s.max_classes);
  const Faults faults = check(s, seed);
  for (const std::string& fault : faults) FAIL_CHECK(fault);
  CHECK(faults.empty());
}

const Size kSizes[] = {{1, 1, 1, 1},       {7, 7, 31, 3},     {33, 32, 33, 17},
                       {33, 33, 100, 1},   {1000, 1, 33, 3},  {1000, 32, 100, 3},
                       {1024, 32, 256, 3}, {1030, 40, 31, 1}, {64, 64, 260, 3}};

void over_sizes(Check check, Profile profile) {
  std::uint64_t seed = 1;
  for (const Size& size : kSizes) {
    for (const StoreType store : {StoreType::kInt16, StoreType::kHalf}) {
      require_none(check, settings_for(profile, store, size), seed++);
    }
  }
}

}  // namespace

TEST_CASE("cuda kernels: predict, profile default") {
  over_sizes(check_predict, Profile::kDefault);
}
TEST_CASE("cuda kernels: predict, profile seed") { over_sizes(check_predict, Profile::kSeed); }
TEST_CASE("cuda kernels: teach and unteach, profile default") {
  over_sizes(check_teach, Profile::kDefault);
}
TEST_CASE("cuda kernels: teach and unteach, profile seed") {
  over_sizes(check_teach, Profile::kSeed);
}
TEST_CASE("cuda kernels: a batch, profile default") {
  over_sizes(check_teach_batch, Profile::kDefault);
}
TEST_CASE("cuda kernels: a batch, profile seed") { over_sizes(check_teach_batch, Profile::kSeed); }

TEST_CASE("cuda kernels: the door gives the CPU's bits") {
  std::uint64_t seed = 1;
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    for (const std::uint32_t d : {1U, 7U, 8U, 9U, 31U, 32U, 33U, 256U, 512U, 1001U, 2048U}) {
      require_none(check_door, settings_for(profile, StoreType::kInt16, {1, 1, d, 1}), seed++);
    }
  }
}

TEST_CASE("cuda kernels: class norms") {
  for (const Size& size : {Size{7, 3, 1, 1}, Size{7, 3, 100, 17}, Size{7, 3, 256, 40}}) {
    require_none(check_norms, settings_for(Profile::kDefault, StoreType::kInt16, size), size.d);
  }
}

TEST_CASE("cuda kernels: more classes than a block has threads") {
  require_none(check_predict, settings_for(Profile::kDefault, StoreType::kInt16, {9, 9, 33, 150}),
               5);
  require_none(check_predict, settings_for(Profile::kDefault, StoreType::kInt16, {200, 140, 33, 3}),
               6);
  require_none(check_predict, settings_for(Profile::kSeed, StoreType::kHalf, {9, 9, 33, 150}), 7);
}

TEST_CASE("cuda kernels: ties and k = n") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    for (const Size& size : {Size{1, 1, 1, 1}, Size{7, 3, 8, 1}, Size{1000, 32, 8, 1},
                             Size{1024, 1, 8, 1}, Size{1024, 1024, 8, 1}, Size{3000, 100, 8, 1}}) {
      require_none(check_ties, settings_for(profile, StoreType::kInt16, size), size.n);
    }
  }
}

TEST_CASE("cuda kernels: every schedule gives the same bits") {
  for (const Scenario& scenario : quick_scenarios()) {
    for (std::uint64_t seed = 100; seed < 103; ++seed) {
      INFO(scenario.name, " seed ", seed);
      for (const std::string& fault : scenario.run(seed)) FAIL_CHECK(fault);
    }
  }
}

}  // namespace jackdaw
