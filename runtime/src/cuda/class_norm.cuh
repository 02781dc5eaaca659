// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The squared norms of class means, e = m'Pm, after teaching and refreshing, and what all classes
// have in common. Three launches, because every element of P*m is needed before the second product
// starts, and every norm before they are pooled.
//
// store      class_sums, class_counts: device, read
// whitener   device: the inverse P, read; class_norms [max_classes], pooled: written
// work       [classes of the launch][stride] float, device: t = P*m, between the first two launches
// which      slots of the launch; class i of it is blockIdx.y = i
// grids      class_mean: (stride / 32, classes), kClassNormThreads threads
//            class_norm: (1, classes), one warp
//            pool_norms: (1, 1), one warp
//
//  1. m_i = S_i / n;  t_i = lane_dot(P_i, m), four lanes a row
//  2. e = lane_dot(m, t); n <= 0: e = 0
//  3. as pool_norms() of core/whitening.hpp: in double, classes in ascending order

#include "cuda/row_answers.cuh"
#include "cuda/teach_default.cuh"

namespace jackdaw::cuda {

constexpr unsigned kClassNormThreads = 128;

// Either the slots of taught examples (mapped), or all from `first` on.
struct Classes {
  const TeachTarget* targets = nullptr;
  unsigned first = 0;
  unsigned count = 0;
};

// The slot of class i; -1 if there is nothing to do. A slot taught several times in the launch is
// left to the last of its examples, so that one block writes it.
__device__ inline int slot_of(const Classes& which, unsigned i) {
  if (which.targets == nullptr) return static_cast<int>(which.first + i);
  const TeachTarget target = load_target(which.targets + i);
  if (!has(target, Part::kClass)) return -1;
  for (unsigned later = i + 1; later < which.count && !mutant("class_norm.last"); ++later) {
    if (load(&which.targets[later].slot) == target.slot) return -1;
  }
  return static_cast<int>(target.slot);
}

__device__ inline Four mean_of(const std::int32_t* sums, float examples, unsigned i) {
  Four m = load_whole(sums + i);
  for (float& value : m.value) value = value / examples;
  return m;
}

static __global__ void __launch_bounds__(kClassNormThreads)
    class_mean_kernel(StoreView view, const WhitenerView* whitener, Classes which, float* work) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned r = blockIdx.x * (kClassNormThreads / 4) + thread / 4;
  const unsigned stride = view.shape.stride;
  const int slot = slot_of(which, blockIdx.y);
  if (slot < 0) return;
  const std::int32_t count = load(view.class_counts + slot);
  if (count <= 0) return;
  const float examples = static_cast<float>(count);
  const std::int32_t* sums = view.class_sums + static_cast<std::size_t>(slot) * stride;
  const float* row =
      load(&whitener->inverse) +
      std::size_t{r} * (mutant("class_mean.stride") ? view.shape.dimensions : stride);

  const float sum = quad_dot([&](unsigned i) { return load_floats(row + i); },
                             [&](unsigned i) { return mean_of(sums, examples, i); },
                             mutant("class_mean.count") ? stride / 2 : stride, lane);
  const std::size_t place = std::size_t{mutant("class_mean.place") ? 0 : blockIdx.y} * stride;
  if (thread % 4 == (mutant("class_mean.writer") ? 1 : 0) && !(mutant("class_mean.row") && r == 0))
    store(work + place + r, sum);
}

static __global__ void __launch_bounds__(kWarp)
    class_norm_kernel(StoreView view, const WhitenerView* whitener, Classes which,
                      const float* work) {
  const unsigned lane = threadIdx.x;
  const unsigned stride = view.shape.stride;
  const int slot = slot_of(which, blockIdx.y);
  if (slot < 0) return;
  const std::int32_t count = load(view.class_counts + slot);
  float* norm = load(&whitener->class_norms) + slot;
  if (count <= 0) {
    if (lane == 0 && !mutant("class_norm.empty")) store(norm, 0.0F);
    return;
  }
  const float examples = static_cast<float>(mutant("class_norm.examples") ? 1 : count);
  const std::int32_t* sums = view.class_sums + static_cast<std::size_t>(slot) * stride;
  const float* t = work + std::size_t{mutant("class_norm.place") ? 0 : blockIdx.y} * stride;

  const unsigned count_of_elements = mutant("class_norm.count") ? stride - 16 : stride;
  const float e = quad_dot([&](unsigned i) { return mean_of(sums, examples, i); },
                           [&](unsigned i) { return load_floats(t + i); },
                           lane < 4 ? count_of_elements : 0, lane);
  if (lane == 0) store(norm, e);
}

static __global__ void __launch_bounds__(kWarp)
    pool_norms_kernel(StoreView view, const WhitenerView* whitener, Rule rule) {
  const unsigned lane = threadIdx.x;
  const StoreShape& shape = view.shape;
  const float* norms = load(&whitener->class_norms);
  constexpr double kLeastShare = 0.02;  // of the mean norm
  double corrected = 0.0;
  double plain = 0.0;
  double examples = 0.0;
  double classes = 0.0;
  for (unsigned first = 0; first < shape.max_classes;
       first += mutant("pool_norms.tail") ? 2 * kWarp : kWarp) {
    const unsigned c = first + lane;
    const std::int32_t count = c < shape.max_classes ? load(view.class_counts + c) : 0;
    const unsigned taught =
        __ballot_sync(kAllLanes, mutant("pool_norms.untaught") ? count >= 0 : count > 0);
    const double norm = count > 0 ? static_cast<double>(load(norms + c)) : 0.0;
    const double term = norm * count - (mutant("pool_norms.noise") ? 0.0 : shape.dimensions);
    for (unsigned i = 0; i < kWarp; ++i) {  // every lane adds the same, in the order of the classes
      const double next_term = __shfl_sync(kAllLanes, term, i);
      const double next_norm = __shfl_sync(kAllLanes, norm, i);
      const std::int32_t next_count = __shfl_sync(kAllLanes, count, i);
      if ((taught >> i & 1U) == 0) continue;
      corrected += next_term;
      plain += next_norm;
      examples += next_count;
      classes += 1.0;
    }
  }
  if (lane != 0) return;
  Pooled pooled{1.0F, 1.0F};
  if (classes != 0.0 && plain > 0.0) {
    const double mean = plain / classes;
    const double least = mutant("pool_norms.least") ? 0.0 : kLeastShare * mean;
    const double common = corrected / examples < least ? least : corrected / examples;
    pooled.norm = static_cast<float>(common);
    pooled.scale = static_cast<float>(
        common / mean /
        (mutant("pool_norms.temperature") ? 1.0 : static_cast<double>(rule.normal.temperature)));
  }
  Pooled* out = load(&whitener->pooled);
  store(&out->norm, pooled.norm);
  store(&out->scale, pooled.scale);
}

}  // namespace jackdaw::cuda
