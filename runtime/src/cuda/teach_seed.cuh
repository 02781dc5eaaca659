// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed learns (or unlearns) one example: every chosen row moves one step towards it, or
// away from it where the similarity is below 0 (only if k is near n).
//
// store    rows, counts, class_counts, class_clipped: device, read and written
// query    chosen, weights [batch][k]: device;
//          examples [batch][stride] float, totals [batch]: mapped
// targets  [batch], mapped; example 0 is taught. Part kShared: nothing to do.
// grid     (teach_blocks(k + 1), 1), kTeachThreads threads; no workspace
//
// One task a warp. If the similarities do not sum to more than 0 nothing changes. Otherwise
//  1. k rows: row[i] += way*sgn(x[i]) with way = sign*sgn(s_j), clamped; its bias += way; a clamped
//     row adds 1 to the class's clipped count (atomic)
//  2. one more task: the class's count += sign

#include "cuda/teach_default.cuh"

namespace jackdaw::cuda {

// Steps in the direction of eight floats.
__device__ inline void steps_towards(const float* x, unsigned i, int sign, int* change) {
  const Four low = load_floats(x + i);
  const Four high = load_floats(x + i + 4);
  for (unsigned m = 0; m < 4; ++m) {
    change[m] = sign * sign_of(low.value[m]);
    change[m + 4] = sign * sign_of(high.value[m]);
  }
}

// By lane 0: what else changes with a row.
__device__ inline void count_step(const StoreView& view, std::size_t row, unsigned slot, int bias,
                                  bool clamped) {
  store(view.counts + row, load(view.counts + row) + bias);
  if (clamped) atomicAdd(view.class_clipped + slot, 1);
}

template <class Element>
__global__ void __launch_bounds__(kTeachThreads)
    teach_seed_kernel(StoreView view, Query query, const TeachTarget* targets) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned task = blockIdx.x * (kTeachThreads / kWarp) + thread / kWarp;
  const StoreShape& shape = view.shape;
  const auto* x = static_cast<const float*>(query.examples);
  const TeachTarget target = load_target(targets);
  if (!has(target, Part::kClass)) return;
  if (!mutant("teach_seed.total") && !(load(query.totals) > 0.0F)) return;

  if (task < (mutant("teach_seed.tail") ? shape.nearest - 1 : shape.nearest)) {
    const std::size_t row = shape.row(load(query.chosen + task), target.slot);
    auto* elements = static_cast<std::uint16_t*>(view.rows) + row * shape.stride;
    const int similarity =
        mutant("teach_seed.similarity") ? 1 : sign_of(load(query.weights + task));
    const int way = (mutant("teach_seed.sign") ? 1 : target.sign) * similarity;
    const bool clamped =
        step_row<Element>(elements, shape.stride, lane,
                          [&](unsigned i, int* change) { steps_towards(x, i, way, change); });
    if (lane == 0 || mutant("teach_seed.one_lane"))
      count_step(view, row, target.slot, way, clamped);
  } else if (task == shape.nearest) {
    std::int32_t* count = view.class_counts + target.slot;
    if (lane == 0) store(count, load(count) + (mutant("teach_seed.count") ? 1 : target.sign));
  }
}

}  // namespace jackdaw::cuda
