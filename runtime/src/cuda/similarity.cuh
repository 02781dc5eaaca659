// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How near every key is to every example.
//
// keys             [n][stride] int8, device
// inverse_lengths  [n] float, device: 1/|key|; seed
// examples         [batch][stride] int8 (default) or float (seed), zero-padded, device or mapped
// similarities     [batch][n] int32 (default) or float (seed), device: written
// grid             (similarity_blocks(n), batch), kSimilarityThreads threads; no workspace
//
//  1. Eight lanes share a key, each takes every eighth chunk of 16 elements. default: by dp4a.
//     seed: x as whole numbers in steps of 2^-25 (core/fixed_point.hpp), summed in 64 bits.
//  2. The eight sums are added by shuffles. Whole numbers: any order gives the same.
//  3. seed: the sum as a float, times 1/|key|, times the step; each of the three is rounded once.

#include "core/fixed_point.hpp"
#include "core/store_view.hpp"
#include "cuda/element.cuh"

namespace jackdaw::cuda {

constexpr unsigned kSimilarityThreads = 128;

inline unsigned similarity_blocks(unsigned n) {
  return (n + kSimilarityThreads / 8 - 1) / (kSimilarityThreads / 8);
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

// fixed_point() in the device's words. NaN fails the first comparison and is 1, as there.
__device__ __forceinline__ int whole_of(float x) {
  const float below = x < 1.0F ? x : 1.0F;
  const float inside = below > -1.0F ? below : -1.0F;
  const float steps = (mutant("similarity_seed.clamp") ? x : inside) * kFixedPointOne;
  return mutant("similarity_seed.nearest") ? static_cast<int>(steps) : __float2int_rn(steps);
}

// A product has up to 33 bits, so every one is added in 64.
__device__ inline long long dot_of_sixteen(const uint4& key, const float* example, long long sum) {
  const unsigned words[4] = {key.x, key.y, key.z, key.w};
  for (unsigned w = 0; w < 4; ++w) {
    const Four x = load_floats(example + 4 * w);
    for (unsigned m = 0; m < 4; ++m) {
      sum += static_cast<long long>(whole_of(x.value[m])) * byte_of(words[w], m);
    }
  }
  return sum;
}

static __global__ void __launch_bounds__(kSimilarityThreads)
    similarity_seed_kernel(StoreShape shape, const std::int8_t* keys, const float* inverse_lengths,
                           const float* examples, float* similarities) {
  const unsigned thread = threadIdx.x;
  const unsigned part = thread % 8;
  const unsigned b = blockIdx.y;
  const unsigned j = blockIdx.x * (kSimilarityThreads / 8) + thread / 8;
  const unsigned n = shape.classifiers - (mutant("similarity_seed.tail") ? 1 : 0);
  const unsigned stride = mutant("similarity_seed.stride") ? shape.dimensions : shape.stride;
  const std::int8_t* key = keys + std::size_t{j} * stride;
  const float* example =
      examples + std::size_t{mutant("similarity_seed.batch") ? 0 : b} * shape.stride;
  const bool here = j < n || mutant("similarity_seed.bound");
  const unsigned count = mutant("similarity_seed.count") ? shape.stride - 16 : shape.stride;

  long long sum = 0;
  for (unsigned i = 16 * part; here && i < count; i += 128) {
    sum = dot_of_sixteen(load16(key + i), example + i, sum);
    if (mutant("similarity_seed.bits")) sum = static_cast<int>(sum);
  }
  sum += __shfl_down_sync(kAllLanes, sum, 4, mutant("similarity_seed.width") ? 4 : 8);
  sum += __shfl_down_sync(kAllLanes, sum, 2, 8);
  sum += __shfl_down_sync(kAllLanes, sum, mutant("similarity_seed.lane") ? 2 : 1, 8);
  if (!here || part != 0) return;
  const float inverse_length = load(inverse_lengths + (mutant("similarity_seed.length") ? 0 : j));
  const float step = mutant("similarity_seed.step") ? 1.0F : kFixedPointStep;
  store(similarities + std::size_t{b} * shape.classifiers + j,
        static_cast<float>(sum) * inverse_length * step);
}

}  // namespace jackdaw::cuda
