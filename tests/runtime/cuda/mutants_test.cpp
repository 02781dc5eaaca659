// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Would the checks notice a broken kernel? Every kernel has named faults built in, off in the
// product. One at a time is switched on, and the checks that the real tests use have to fail.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "emulation/mutant.hpp"
#include "scenarios.hpp"

namespace jackdaw {
namespace {

const char* const kMutants[] = {
    "answer_default.first_barrier",
    "answer_default.least",
    "answer_default.offset",
    "answer_default.second_barrier",
    "answer_default.untaught",
    "answer_default.weight",
    "class_mean.count",
    "class_mean.place",
    "class_mean.row",
    "class_mean.stride",
    "class_mean.writer",
    "class_norm.count",
    "class_norm.empty",
    "class_norm.examples",
    "class_norm.last",
    "class_norm.place",
    "door.barrier",
    "door.clamp",
    "door.factor",
    "door.nearest",
    "door.order",
    "door.padding",
    "door.refused",
    "door.rest",
    "door.single",
    "door.tie",
    "door.writer",
    "lane_dot.pair_mask",
    "lane_dot.pair_step",
    "lane_dot.quad_order",
    "pool_norms.least",
    "pool_norms.noise",
    "pool_norms.tail",
    "pool_norms.temperature",
    "pool_norms.untaught",
    "read_out_seed.bias",
    "read_out_seed.first_barrier",
    "read_out_seed.second_barrier",
    "read_out_seed.total",
    "read_out_seed.unused",
    "row_answers.barrier",
    "row_answers.fused",
    "row_answers.mean",
    "row_answers.stride",
    "row_answers.tail",
    "row_step.clipped",
    "row_step.high",
    "row_step.low",
    "row_step.tail",
    "seed_coefficient.batch",
    "seed_coefficient.bias",
    "seed_coefficient.share",
    "seed_coefficient.slope",
    "seed_coefficient.slot",
    "seed_step.batch",
    "seed_step.bias",
    "seed_step.count",
    "seed_step.owner",
    "seed_step.single",
    "seed_step.total",
    "similarity_i8.bound",
    "similarity_i8.lane",
    "similarity_i8.stride",
    "similarity_i8.tail",
    "similarity_i8.width",
    "similarity_seed.batch",
    "similarity_seed.bits",
    "similarity_seed.bound",
    "similarity_seed.clamp",
    "similarity_seed.count",
    "similarity_seed.lane",
    "similarity_seed.length",
    "similarity_seed.nearest",
    "similarity_seed.step",
    "similarity_seed.stride",
    "similarity_seed.tail",
    "similarity_seed.width",
    "teach_default.atomic",
    "teach_default.batch",
    "teach_default.one_lane",
    "teach_default.part",
    "teach_default.row_sign",
    "teach_default.slot",
    "teach_default.triangle",
    "teach_seed.count",
    "teach_seed.one_lane",
    "teach_seed.sign",
    "teach_seed.similarity",
    "teach_seed.tail",
    "teach_seed.total",
    "top_k.first_barrier",
    "top_k.negative",
    "top_k.order",
    "top_k.rank",
    "top_k.second_barrier",
    "top_k.signed",
    "top_k.tie",
    "top_k.zero",
    "whiten.batch",
    "whiten.block",
    "whiten.count",
    "whiten.stride",
    "whiten.writer",
};

// How a mutant was caught; empty if it was not. Kernels of profile seed are looked for there first.
std::string catch_mutant(const std::string& name, std::vector<Scenario> scenarios) {
  const bool of_seed = name.find("seed") != std::string::npos;
  std::stable_partition(scenarios.begin(), scenarios.end(), [&](const Scenario& s) {
    return (s.name.find("seed") != std::string::npos) == of_seed;
  });
  const emulation::ActiveMutant active(name);
  for (const Scenario& scenario : scenarios) {
    const Faults faults = scenario.run(1);
    if (faults.empty()) continue;
    return scenario.name + ": " + faults.front().substr(0, 70);
  }
  return {};
}

}  // namespace

TEST_CASE("cuda kernels: every mutant is caught") {
  const std::vector<Scenario> scenarios = quick_scenarios();
  const std::set<std::string> asked_for = emulation::record_mutants([&] {
    for (const Scenario& scenario : scenarios) {
      INFO(scenario.name);
      for (const std::string& fault : scenario.run(1)) FAIL_CHECK(fault);
    }
  });
  const std::set<std::string> listed(std::begin(kMutants), std::end(kMutants));
  CHECK(asked_for == listed);
  for (const char* name : kMutants) {
    const std::string how = catch_mutant(name, scenarios);
    std::printf("  %-32s %s\n", name, how.empty() ? "NOT CAUGHT" : how.c_str());
    INFO(std::string(name));
    CHECK(!how.empty());
  }
}

}  // namespace jackdaw
