// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where everything of the CUDA backend lies: one block of device memory, one of mapped pinned
// memory and one of ordinary host memory, planned together.
//
//   DevicePlan plan(settings);                       // throws CapacityError over the budget
//   Layout layout = lay_out(settings, plan, device, mapped, host);
//
// The store has the sections and offsets of plan_memory(); scratch, which is different on a GPU,
// follows.

#include <cstddef>
#include <vector>

#include "cuda/gpu.hpp"
#include "cuda/sequences.hpp"
#include "jackdaw/memory_plan.hpp"

namespace jackdaw::cuda {

struct DevicePlan {
  explicit DevicePlan(const EnsembleSettings& settings);

  MemoryPlan plan;  // sections of the three blocks, one behind the other
  std::uint64_t device_bytes = 0;
  std::uint64_t mapped_bytes = 0;
  std::uint64_t host_bytes = 0;
};

// A context as host and device see it.
struct Area {
  Query query;                         // for kernels
  std::byte* examples = nullptr;       // host side of query.examples
  const float* totals = nullptr;       // host side of query.totals
  const ClassScore* scores = nullptr;  // host side of query.scores
  const double* square = nullptr;      // host side of query.square
};

struct Layout {
  StoreView store;                // device
  WhitenerView whitener[2];       // device pointers; answers use one while refresh fills the other
  float* inverse[2] = {};         // as in whitener, to be written
  WhitenerView* views = nullptr;  // device [3]: the two, and a copy of the one in force
  std::vector<Area> contexts;
  Area teaching;
  Teacher teacher;
  TeachTarget* targets = nullptr;        // host side of teacher.targets
  std::uint32_t* chosen = nullptr;       // mapped host [contexts][k]
  std::int32_t* class_counts = nullptr;  // mapped host [max_classes]
  std::byte* staging = nullptr;          // mapped host: sections on their way
  std::byte* refresh_staging = nullptr;  // mapped host: scatter, class sums, class counts, inverse
  double* refresh = nullptr;             // host: what compute_whitening() works in
  Span<std::byte> keys;                  // host
  Span<float> inverse_lengths;           // host: of the keys; seed
  Span<std::byte> undo;                  // host
};

Layout lay_out(const EnsembleSettings& settings, const DevicePlan& plan, std::byte* device,
               Mapped mapped, std::byte* host);

}  // namespace jackdaw::cuda
