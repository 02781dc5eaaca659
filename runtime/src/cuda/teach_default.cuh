// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile default learns (or unlearns) one example: k rows, the class's statistics, the scatter.
// One task a warp, no task touches what another does, so no order is needed.
//
// store    rows, counts, class_sums, class_counts, class_clipped, scatter: device, read and written
// query    chosen [batch][k]: device; examples [batch][stride] int8: mapped
// targets  [batch], mapped: slot, sign and part of each example; example b is taught
// grid     (teach_blocks(k + stride + 1), 1), kTeachThreads threads; no workspace
//
// Tasks, by number:
//  1. k rows: row += sign*q, clamped; its count += sign; a clamped row adds 1 to the class's
//     clipped count (atomic, and a whole number: any order gives the same)
//  2. stride rows of the scatter: entry (r, col) += sign*q_r*q_col for col < 16*(r/16+1)
//  3. one more: the class's sums += sign*q, its count += sign
// Part kClass: 1 and 3; part kShared: 2.

#include "cuda/arguments.hpp"
#include "cuda/row_step.cuh"

namespace jackdaw::cuda {

constexpr unsigned kTeachThreads = 128;

inline unsigned teach_blocks(unsigned tasks) {
  return (tasks + kTeachThreads / kWarp - 1) / (kTeachThreads / kWarp);
}

__device__ inline bool has(const TeachTarget& target, Part part) {
  return (target.part & static_cast<unsigned>(part)) != 0;
}

__device__ inline TeachTarget load_target(const TeachTarget* at) {
  return {load(&at->slot), load(&at->sign), load(&at->part)};
}

// Adds sign*factor*q to whole numbers, four a lane. end: a multiple of 16.
__device__ inline void add_scaled(std::int32_t* to, const std::int8_t* q, int factor, unsigned end,
                                  unsigned lane) {
  for (unsigned i = 4 * lane; i < end; i += 4 * kWarp) {
    const auto word = load(reinterpret_cast<const std::uint32_t*>(q + i));
    uint4 c = load16(to + i);
    c.x += static_cast<unsigned>(factor * byte_of(word, 0));
    c.y += static_cast<unsigned>(factor * byte_of(word, 1));
    c.z += static_cast<unsigned>(factor * byte_of(word, 2));
    c.w += static_cast<unsigned>(factor * byte_of(word, 3));
    store16(to + i, c);
  }
}

template <class Element>
__device__ inline void teach_row(const StoreView& view, const std::int8_t* q,
                                 const TeachTarget& target, unsigned j, unsigned lane) {
  const std::size_t row = view.shape.row(j, mutant("teach_default.slot") ? 0 : target.slot);
  const int sign = mutant("teach_default.row_sign") ? 1 : target.sign;
  auto* elements = static_cast<std::uint16_t*>(view.rows) + row * view.shape.stride;
  const bool clamped =
      step_row<Element>(elements, view.shape.stride, lane, [&](unsigned i, int* change) {
        const uint2 bytes = load8(q + i);
        for (unsigned m = 0; m < 4; ++m) {
          change[m] = sign * byte_of(bytes.x, m);
          change[m + 4] = sign * byte_of(bytes.y, m);
        }
      });
  if (lane != 0) return;
  store(view.counts + row, load(view.counts + row) + target.sign);
  int* clipped = view.class_clipped + target.slot;
  if (clamped && mutant("teach_default.atomic")) store(clipped, load(clipped) + 1);
  if (clamped && !mutant("teach_default.atomic")) atomicAdd(clipped, 1);
}

template <class Element>
__global__ void __launch_bounds__(kTeachThreads)
    teach_default_kernel(StoreView view, Query query, const TeachTarget* targets, unsigned b) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned task = blockIdx.x * (kTeachThreads / kWarp) + thread / kWarp;
  const StoreShape& shape = view.shape;
  const auto* q = static_cast<const std::int8_t*>(query.examples) + std::size_t{b} * shape.stride;
  const TeachTarget target = load_target(targets + b);

  if (task < shape.nearest) {
    if (!has(target, Part::kClass)) return;
    const unsigned j = load(
        query.chosen + std::size_t{mutant("teach_default.batch") ? 0 : b} * shape.nearest + task);
    teach_row<Element>(view, q, target, j, lane);
  } else if (task < shape.nearest + shape.stride) {
    if (!has(target, Part::kShared) && !mutant("teach_default.part")) return;
    const unsigned r = task - shape.nearest;
    const int factor = target.sign * load(q + r);
    if (factor == 0) return;  // and so for all of the padding
    const unsigned end = mutant("teach_default.triangle") ? r + 1 : 16 * (r / 16 + 1);
    add_scaled(view.scatter + std::size_t{r} * shape.stride, q, factor, end, lane);
  } else if (task == shape.nearest + shape.stride) {
    if (!has(target, Part::kClass)) return;
    add_scaled(view.class_sums + std::size_t{target.slot} * shape.stride, q, target.sign,
               shape.stride, lane);
    std::int32_t* count = view.class_counts + target.slot;
    if (lane == 0 || mutant("teach_default.one_lane")) store(count, load(count) + target.sign);
  }
}

}  // namespace jackdaw::cuda
