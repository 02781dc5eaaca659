// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How near every key is to every example.
//
// keys          [n][stride] int8 or float, device
// examples      [batch][stride], as the keys, zero-padded, device or mapped
// similarities  [batch][n] int32 or float, device: written
// grid          (similarity_i8_blocks(n) or similarity_f32_blocks(n), batch), kSimilarityThreads
//               threads; no workspace
//
// int8:  1. eight lanes share a key, each takes every eighth chunk of 16 bytes (dp4a);
//        2. the eight sums are added by shuffles. Whole numbers: any order gives the same.
// float: four lanes share a key, in lane_dot's order.

#include "core/store_view.hpp"
#include "cuda/lane_dot.cuh"

namespace jackdaw::cuda {

constexpr unsigned kSimilarityThreads = 128;

inline unsigned similarity_i8_blocks(unsigned n) {
  return (n + kSimilarityThreads / 8 - 1) / (kSimilarityThreads / 8);
}
inline unsigned similarity_f32_blocks(unsigned n) {
  return (n + kSimilarityThreads / 4 - 1) / (kSimilarityThreads / 4);
}

__device__ inline int dot_of_sixteen(const uint4& a, const uint4& b, int sum) {
  sum = __dp4a(static_cast<int>(a.x), static_cast<int>(b.x), sum);
  sum = __dp4a(static_cast<int>(a.y), static_cast<int>(b.y), sum);
  sum = __dp4a(static_cast<int>(a.z), static_cast<int>(b.z), sum);
  return __dp4a(static_cast<int>(a.w), static_cast<int>(b.w), sum);
}

// Block `block` of the similarities of example b.
__device__ inline void similarity_i8_block(const StoreShape& shape, const std::int8_t* keys,
                                           const std::int8_t* examples, std::int32_t* similarities,
                                           unsigned block, unsigned b) {
  const unsigned thread = threadIdx.x;
  const unsigned part = thread % 8;
  const unsigned j = block * (kSimilarityThreads / 8) + thread / 8;
  const unsigned n = shape.classifiers - (mutant("similarity_i8.tail") ? 1 : 0);
  const unsigned stride = mutant("similarity_i8.stride") ? shape.dimensions : shape.stride;
  const std::int8_t* key = keys + std::size_t{j} * stride;
  const std::int8_t* example = examples + std::size_t{b} * shape.stride;
  const bool here = j < n || mutant("similarity_i8.bound");

  int sum = 0;
  for (unsigned i = 16 * part; here && i < shape.stride; i += 128) {
    sum = dot_of_sixteen(load16(key + i), load16(example + i), sum);
  }
  sum += __shfl_down_sync(kAllLanes, sum, 4, mutant("similarity_i8.width") ? 4 : 8);
  sum += __shfl_down_sync(kAllLanes, sum, 2, 8);
  sum += __shfl_down_sync(kAllLanes, sum, mutant("similarity_i8.lane") ? 2 : 1, 8);
  if (here && part == 0) store(similarities + std::size_t{b} * shape.classifiers + j, sum);
}

static __global__ void __launch_bounds__(kSimilarityThreads)
    similarity_i8_kernel(StoreShape shape, const std::int8_t* keys, const std::int8_t* examples,
                         std::int32_t* similarities) {
  similarity_i8_block(shape, keys, examples, similarities, blockIdx.x, blockIdx.y);
}

static __global__ void __launch_bounds__(kSimilarityThreads)
    similarity_f32_kernel(StoreShape shape, const float* keys, const float* examples,
                          float* similarities) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned b = blockIdx.y;
  const unsigned j = blockIdx.x * (kSimilarityThreads / 4) + thread / 4;
  const unsigned n = shape.classifiers - (mutant("similarity_f32.tail") ? 1 : 0);
  const float* key =
      keys + std::size_t{j} * (mutant("similarity_f32.stride") ? shape.dimensions : shape.stride);
  const float* example =
      examples + std::size_t{mutant("similarity_f32.batch") ? 0 : b} * shape.stride;
  const bool here = j < n || mutant("similarity_f32.bound");
  const unsigned count = mutant("similarity_f32.count") ? shape.stride - 16 : shape.stride;

  const float sum =
      quad_dot([&](unsigned i) { return load_floats(key + i); },
               [&](unsigned i) { return load_floats(example + i); }, here ? count : 0, lane);
  if (here && thread % 4 == 0) store(similarities + std::size_t{b} * shape.classifiers + j, sum);
}

}  // namespace jackdaw::cuda
