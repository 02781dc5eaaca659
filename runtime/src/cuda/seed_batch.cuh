// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed's step on a batch: each row of a taught class moves by the sign of the batch's
// gradient, all examples seen with the weights from before. Two launches, because every coefficient
// needs old rows.
//
// store    rows, counts, class_counts, class_clipped: device, read and (second launch) written
// query    chosen, weights [batch][k]: device, read;
//          examples [batch][stride] float, totals [batch]: mapped, read;
//          coefficients [batch][k] float, device: between the two launches
// targets  [batch], mapped: the slots; sign is +1
// grids    coefficients: (ceil(k / 64), batch), kCoefficientThreads threads
//          step: (teach_blocks(k + 1), batch), kTeachThreads threads
//
//  1. coefficient of example b in its row (j, c), c its class: (s_bj/S_b) * (1 - tanh(arg)^2)
//  2. one warp for each b and j chosen by b. If an earlier example of the class chose j too, the
//     row is that one's: nothing to do. Otherwise, over the class's examples that chose j, in the
//     batch's order: gradient = fma(coefficient, x, gradient), pull += coefficient. The row moves
//     by the sign of the one, its bias by the sign of the other. A row of one example moves by
//     sgn(s)*sgn(x), its bias by sgn(s).
//  3. one more warp for each b: the class's count += 1 (atomic).
// An example with S <= 0 is left out everywhere.

#include "cuda/read_out_seed.cuh"
#include "cuda/teach_seed.cuh"

namespace jackdaw::cuda {

constexpr unsigned kCoefficientThreads = 128;
constexpr unsigned kNotChosen = 0xFFFFFFFFU;

template <class Element>
__global__ void __launch_bounds__(kCoefficientThreads)
    seed_coefficient_kernel(StoreView view, Rule rule, Query query, const TeachTarget* targets) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned b = blockIdx.y;
  const unsigned r = blockIdx.x * (kCoefficientThreads / 2) + thread / 2;
  const StoreShape& shape = view.shape;
  const std::size_t place = std::size_t{b} * shape.nearest + r;
  const float total = load(query.totals + b);
  if (!(total > 0.0F)) return;
  const bool here = r < shape.nearest;
  const std::uint32_t slot = load(&targets[mutant("seed_coefficient.slot") ? 0 : b].slot);
  const std::size_t row = here ? shape.row(load(query.chosen + place), slot) : 0;
  const auto* elements = static_cast<const std::uint16_t*>(view.rows) + row * shape.stride;
  const auto* x = static_cast<const float*>(query.examples) +
                  std::size_t{mutant("seed_coefficient.batch") ? 0 : b} * shape.stride;

  const float dot = pair_dot<Element>(elements, x, here ? shape.stride : 0, lane);
  if (!here || thread % 2 != 0) return;
  const std::int32_t bias = mutant("seed_coefficient.bias") ? 0 : load(view.counts + row);
  const float th = tanh32(seed_argument(dot, bias, rule));
  const float share =
      load(query.weights + place) / (mutant("seed_coefficient.share") ? 1.0F : total);
  store(query.coefficients + place,
        share * (mutant("seed_coefficient.slope") ? 1.0F : 1.0F - th * th));
}

// Where classifier j stands among the chosen of example b, or kNotChosen. The same in every lane.
__device__ inline unsigned find_chosen(const std::uint32_t* chosen, unsigned k, unsigned j,
                                       unsigned lane) {
  unsigned place = kNotChosen;
  for (unsigned first = 0; first < k; first += kWarp) {
    const unsigned r = first + lane;
    const unsigned votes = __ballot_sync(kAllLanes, r < k && load(chosen + r) == j);
    if (votes != 0) place = first + static_cast<unsigned>(__popc((votes & (0U - votes)) - 1U));
  }
  return place;
}

// Step of the row (j, slot) for eight elements from i on: over examples b, b+1, ... of the class.
// Returns the step of its bias. All lanes of the warp call, whatever i; i >= stride: nothing is
// read of the examples, and change and the result are not set.
__device__ inline int gradient_steps(const StoreShape& shape, const Query& query,
                                     const TeachTarget* targets, unsigned batch, unsigned b,
                                     unsigned j, int way, unsigned i, unsigned lane, int* change) {
  const auto* x = static_cast<const float*>(query.examples);
  const std::uint32_t slot = load(&targets[b].slot);
  float gradient[8] = {0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
  float pull = 0.0F;
  unsigned members = 0;
  for (unsigned other = b; other < batch; ++other) {
    const std::size_t start = std::size_t{other} * shape.nearest;
    const unsigned r = find_chosen(query.chosen + start, shape.nearest, j, lane);
    const bool same = load(&targets[other].slot) == slot && load(query.totals + other) > 0.0F;
    if (!same || r == kNotChosen) continue;
    ++members;
    if (i >= shape.stride) continue;
    const float coefficient = load(query.coefficients + start + r);
    pull += coefficient;
    const Four low = load_floats(x + std::size_t{other} * shape.stride + i);
    const Four high = load_floats(x + std::size_t{other} * shape.stride + i + 4);
    for (unsigned m = 0; m < 4; ++m) {
      gradient[m] = fmaf(coefficient, low.value[m], gradient[m]);
      gradient[m + 4] = fmaf(coefficient, high.value[m], gradient[m + 4]);
    }
  }
  if (i >= shape.stride) return 0;
  if (members == 1 && !mutant("seed_step.single")) {
    steps_towards(x + std::size_t{b} * shape.stride, i, way, change);
    return way;
  }
  for (unsigned m = 0; m < 8; ++m) change[m] = sign_of(gradient[m]);
  return mutant("seed_step.bias") ? 1 : sign_of(pull);
}

template <class Element>
__global__ void __launch_bounds__(kTeachThreads)
    seed_step_kernel(StoreView view, Query query, const TeachTarget* targets) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned task = blockIdx.x * (kTeachThreads / kWarp) + thread / kWarp;
  const unsigned b = blockIdx.y;
  const unsigned batch = gridDim.y;
  const StoreShape& shape = view.shape;
  const std::uint32_t slot = load(&targets[b].slot);
  if (!mutant("seed_step.total") && !(load(query.totals + b) > 0.0F)) return;

  if (task == shape.nearest) {
    if (lane == 0 && !mutant("seed_step.count")) atomicAdd(view.class_counts + slot, 1);
    return;
  }
  if (task > shape.nearest) return;
  const unsigned j = load(query.chosen + std::size_t{b} * shape.nearest + task);
  for (unsigned earlier = 0; earlier < b && !mutant("seed_step.owner"); ++earlier) {
    const std::uint32_t* theirs = query.chosen + std::size_t{earlier} * shape.nearest;
    const bool chosen = find_chosen(theirs, shape.nearest, j, lane) != kNotChosen;
    if (chosen && load(&targets[earlier].slot) == slot && load(query.totals + earlier) > 0.0F)
      return;
  }
  const std::size_t row = shape.row(j, slot);
  auto* elements = static_cast<std::uint16_t*>(view.rows) + row * shape.stride;
  const unsigned last = mutant("seed_step.batch") ? batch - 1 : batch;
  // The whole warp searches together, so lanes beyond the row take part in every round.
  const int way = sign_of(load(query.weights + std::size_t{b} * shape.nearest + task));
  bool clamped = false;
  int bias = 0;
  for (unsigned first = 0; first < shape.stride; first += 8 * kWarp) {
    int change[8];
    const int step =
        gradient_steps(shape, query, targets, last, b, j, way, first + 8 * lane, lane, change);
    if (first == 0) bias = step;
    const unsigned left = shape.stride - first;
    clamped |= step_row<Element>(elements + first, left < 8 * kWarp ? left : 8 * kWarp, lane,
                                 [&](unsigned, int* out) {
                                   for (unsigned m = 0; m < 8; ++m) out[m] = change[m];
                                 });
  }
  if (lane == 0) count_step(view, row, slot, bias, clamped);
}

}  // namespace jackdaw::cuda
