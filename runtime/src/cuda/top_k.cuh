// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The k nearest keys of each example, and how much each of them has to say.
//
// query.similarities  [batch][n] int32 (default) or float (seed), device
// query.chosen        [batch][k] uint32, device: written, ascending
// query.weights       [batch][k] float, device: written. default: w/W, w = max(similarity, 0), W
//                     their sum, or 1/k if W is 0; seed: the similarity
// query.totals        [batch] float, mapped: written in profile seed, the sum S in ascending order
// grid                (1, batch), top_k_threads(n) threads; shared memory 128 bytes
//
// A key's place follows from one number: the similarity, then the lower index (see packed()). No
// two are alike, so "the k largest" means one set on every machine.
//  1. The k-th largest is found bit by bit from the top: keep a bit if at least k numbers are as
//     large as the prefix with it. Stops as soon as exactly k are.
//  2. Everything not below it is written out in index order; places come from ballots.
//  3. The first warp sums and divides.

#include "cuda/arguments.hpp"
#include "cuda/element.cuh"

namespace jackdaw::cuda {

constexpr unsigned kTopKThreads = 1024;  // at most

inline unsigned top_k_threads(unsigned n) {
  return n < kTopKThreads ? (n + kWarp - 1) / kWarp * kWarp : kTopKThreads;
}

__device__ inline std::uint32_t sortable_bits(std::int32_t similarity) {
  return static_cast<std::uint32_t>(similarity) ^ (mutant("top_k.signed") ? 0U : 0x80000000U);
}
__device__ inline std::uint32_t sortable_bits(float similarity) {
  const std::uint32_t bits =
      __float_as_uint(similarity + (mutant("top_k.zero") ? -0.0F : 0.0F));  // -0 is 0
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

// Larger wins: the nearer key, then the lower index.
template <class Score>
__device__ __forceinline__ std::uint64_t packed(Score similarity, std::uint32_t j) {
  return std::uint64_t{sortable_bits(similarity)} << 32U | (mutant("top_k.tie") ? j : ~j);
}

template <class Score>
__device__ inline std::uint64_t kth_largest(const Score* similarities, unsigned n, unsigned k,
                                            unsigned thread) {
  std::uint64_t kth = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const std::uint64_t candidate = kth | std::uint64_t{1} << static_cast<unsigned>(bit);
    unsigned count = 0;
    for (unsigned first = 0; first < n; first += blockDim.x) {
      const unsigned j = first + thread;
      const bool above = j < n && packed(load(similarities + j), j) >= candidate;
      count += static_cast<unsigned>(__syncthreads_count(above));
    }
    if (count >= k) kth = candidate;
    if (count == k) break;
  }
  return kth;
}

// Shares of the chosen, from the sum of whole numbers.
__device__ inline void weigh(const std::int32_t* similarities, const std::uint32_t* chosen,
                             unsigned k, float* weights, float*, unsigned lane) {
  long long total = 0;
  for (unsigned r = lane; r < k; r += kWarp) {
    const std::int32_t s = load(similarities + load(chosen + r));
    total += s > 0 || mutant("top_k.negative") ? s : 0;
  }
  for (unsigned by = kWarp / 2; by > 0; by /= 2) total += __shfl_xor_sync(kAllLanes, total, by);
  for (unsigned r = lane; r < k; r += kWarp) {
    const std::int32_t s = load(similarities + load(chosen + r));
    const float share = static_cast<float>(s > 0 ? s : 0) / static_cast<float>(total);
    store(weights + r, total > 0 ? share : 1.0F / static_cast<float>(k));
  }
}

// The similarities as they are; their sum is taken in ascending order, one after the other.
__device__ inline void weigh(const float* similarities, const std::uint32_t* chosen, unsigned k,
                             float* weights, float* total, unsigned lane) {
  float sum = 0.0F;
  for (unsigned first = 0; first < k; first += kWarp) {
    const unsigned r = first + lane;
    const float s = r < k ? load(similarities + load(chosen + r)) : 0.0F;
    if (r < k) store(weights + r, s);
    for (unsigned from = 0; from < kWarp; ++from) {
      const float next = __shfl_sync(kAllLanes, s, mutant("top_k.order") ? kWarp - 1 - from : from);
      if (mutant("top_k.order") || first + from < k) sum += next;
    }
  }
  if (lane == 0) store(total, sum);
}

template <class Score>
__global__ void __launch_bounds__(kTopKThreads) top_k_kernel(StoreShape shape, Query query) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned warp = thread / kWarp;
  const unsigned b = blockIdx.y;
  const unsigned n = shape.classifiers;
  const unsigned k = shape.nearest;
  const Score* similarities = static_cast<const Score*>(query.similarities) + std::size_t{b} * n;
  std::uint32_t* chosen = query.chosen + std::size_t{b} * k;
  __shared__ SharedArray<unsigned, kTopKThreads / kWarp> found;  // in each warp, of one round

  const std::uint64_t kth = kth_largest(similarities, n, k, thread);

  unsigned place = 0;
  for (unsigned first = 0; first < n; first += blockDim.x) {
    const unsigned j = first + thread;
    const bool inside = j < n && packed(load(similarities + j), j) >= kth;
    const unsigned votes = __ballot_sync(kAllLanes, inside);
    if (lane == 0) found[warp] = static_cast<unsigned>(__popc(votes));
    if (!mutant("top_k.first_barrier")) __syncthreads();
    unsigned before = 0;
    unsigned all = 0;
    for (unsigned w = 0; w < blockDim.x / kWarp; ++w) {
      const unsigned here = found[w];
      before += w < warp ? here : 0;
      all += here;
    }
    const unsigned below = votes & ((mutant("top_k.rank") ? 2U << lane : 1U << lane) - 1U);
    if (inside) store(chosen + place + before + static_cast<unsigned>(__popc(below)), j);
    place += all;
    // The next round overwrites the counts; and the first warp reads what others have chosen.
    if (!mutant("top_k.second_barrier")) __syncthreads();
  }

  if (warp != 0) return;
  weigh(similarities, chosen, k, query.weights + std::size_t{b} * k, query.totals + b, lane);
}

}  // namespace jackdaw::cuda
