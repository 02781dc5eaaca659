// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The door (core/door.hpp) on the device: an embedding that is there already becomes an example,
// the same bits as on the CPU.
//
// embedding  [d] float, device
// examples   [stride] int8 (default) or float (seed), mapped: written, the padding too
// square     double, mapped: the embedding's squared length, by which the host sees whether it was
//            refused (check_square()); then the example is all zero
// grid       one block of kDoorThreads threads; no workspace
//
//  1. Eight lanes of the first warp sum the squares in double, in the order of ordered_dot.hpp:
//     lane l takes elements l, l+8, l+16, ... of the whole eights; then a tree, l += l+4, l += l+2,
//     l += l+1; then the rest, which was summed by itself. A square of a float is exact in double.
//  2. Every thread scales four elements at a time in double. default: times levels*sqrt(d)/length,
//     to the nearest whole number, ties to even, within +-127. seed: times 1/length, as float.

#include <cmath>

#include "cuda/element.cuh"
#include "cuda/sequences.hpp"

namespace jackdaw::cuda {

constexpr unsigned kDoorThreads = 128;

__device__ __forceinline__ double square_of_element(const float* at) {
  const auto value = static_cast<double>(load(at));
  return value * value;
}

// In lane 0. Every lane of the warp must call.
__device__ inline double square_of_embedding(const float* z, unsigned d, unsigned lane) {
  const unsigned whole = d - d % 8;
  double sum = 0.0;
  for (unsigned i = lane; lane < 8 && i < whole; i += 8) {
    sum += square_of_element(z + i);
    if (mutant("door.single")) sum = static_cast<double>(static_cast<float>(sum));
  }
  sum += __shfl_down_sync(kAllLanes, sum, mutant("door.order") ? 1 : 4, 8);
  sum += __shfl_down_sync(kAllLanes, sum, 2, 8);
  sum += __shfl_down_sync(kAllLanes, sum, mutant("door.order") ? 4 : 1, 8);
  double rest = 0.0;
  for (unsigned i = mutant("door.rest") ? d : whole; i < d; ++i) rest += square_of_element(z + i);
  return sum + rest;
}

// The squared length, for all threads of the block.
__device__ inline double measure(const float* z, unsigned d, double* square) {
  __shared__ SharedArray<double, 1> shared;
  const unsigned thread = threadIdx.x;
  if (thread < kWarp) {
    const double sum = square_of_embedding(z, d, thread);
    if (thread == (mutant("door.writer") ? 1 : 0)) {
      shared[0] = sum;
      store(square, sum);
    }
  }
  if (!mutant("door.barrier")) __syncthreads();
  return shared[0];
}

__device__ __forceinline__ bool has_direction(double square) {
  constexpr double kMost = 1.7976931348623157e308;
  return (square > 0.0 && square <= kMost) || mutant("door.refused");
}

__device__ __forceinline__ int level_of(double value) {
  const double nearest = mutant("door.nearest") ? value
                         : mutant("door.tie")   ? floor(value + 0.5)
                                                : rint(value);
  if (mutant("door.clamp")) return static_cast<int>(nearest);
  return static_cast<int>(nearest < -127.0 ? -127.0 : nearest > 127.0 ? 127.0 : nearest);
}

// reach: levels*sqrt(d).
[[maybe_unused]] static __global__ void __launch_bounds__(kDoorThreads)
    door_default_kernel(StoreShape shape, double reach, const float* embedding, Query query) {
  const double square = measure(embedding, shape.dimensions, query.square);
  const bool good = has_direction(square);
  const double scale = reach / sqrt(square);
  auto* words = static_cast<std::uint32_t*>(query.examples);
  const unsigned end = mutant("door.padding") ? shape.dimensions : shape.stride;
  for (unsigned i = 4 * threadIdx.x; i < end; i += 4 * kDoorThreads) {
    std::uint32_t word = 0;
    for (unsigned m = 0; good && m < 4 && i + m < shape.dimensions; ++m) {
      const int level = level_of(static_cast<double>(load(embedding + i + m)) * scale);
      word |= (static_cast<std::uint32_t>(level) & 0xFFU) << (8U * m);
    }
    store(words + i / 4, word);
  }
}

[[maybe_unused]] static __global__ void __launch_bounds__(kDoorThreads)
    door_seed_kernel(StoreShape shape, const float* embedding, Query query) {
  const double square = measure(embedding, shape.dimensions, query.square);
  const bool good = has_direction(square);
  const double factor = mutant("door.factor")
                            ? static_cast<double>(1.0F / static_cast<float>(sqrt(square)))
                            : 1.0 / sqrt(square);
  auto* example = static_cast<float*>(query.examples);
  const unsigned end = mutant("door.padding") ? shape.dimensions : shape.stride;
  for (unsigned i = threadIdx.x; i < end; i += kDoorThreads) {
    const bool inside = good && i < shape.dimensions;
    store(example + i,
          inside ? static_cast<float>(static_cast<double>(load(embedding + i)) * factor) : 0.0F);
  }
}

template <class Launcher>
void launch_door(Launcher& launcher, const DeviceStore& store, const Query& query,
                 const float* embedding) {
  const StoreShape& shape = store.view.shape;
  if (store.profile == Profile::kSeed) {
    launcher.launch(door_seed_kernel, Grid{1, 1}, kDoorThreads, shape, embedding, query);
    return;
  }
  const double reach = static_cast<double>(store.rule.normal.levels) *
                       std::sqrt(static_cast<double>(shape.dimensions));
  launcher.launch(door_default_kernel, Grid{1, 1}, kDoorThreads, shape, reach, embedding, query);
}

}  // namespace jackdaw::cuda
