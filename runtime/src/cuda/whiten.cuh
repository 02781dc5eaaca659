// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// u = inverse * q: the example, whitened by the within-class covariance. Profile default. It needs
// nothing but the example, so it shares a launch with the similarities.
//
// whitener   device: the current inverse, [stride][stride] float, symmetric
// examples   [batch][stride] int8, zero-padded, device or mapped
// whitened   [batch][stride] float, device: written
// grid       ask_kernel: (similarity_blocks(n) + whiten_blocks(stride), batch) of
//            kSimilarityThreads threads; no workspace
//
// Four lanes share a row of the matrix, in lane_dot's order.

#include "cuda/arguments.hpp"
#include "cuda/lane_dot.cuh"
#include "cuda/similarity.cuh"

namespace jackdaw::cuda {

inline unsigned whiten_blocks(unsigned stride) { return stride / (kSimilarityThreads / 4); }

__device__ inline Four load_bytes(const std::int8_t* at) {
  const auto word = load(reinterpret_cast<const std::uint32_t*>(at));
  return {{static_cast<float>(byte_of(word, 0)), static_cast<float>(byte_of(word, 1)),
           static_cast<float>(byte_of(word, 2)), static_cast<float>(byte_of(word, 3))}};
}

__device__ inline void whiten_block(const StoreShape& shape, const WhitenerView* whitener,
                                    const std::int8_t* examples, float* whitened, unsigned block,
                                    unsigned b) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned r = block * (kSimilarityThreads / 4) + thread / 4;  // stride is a multiple of 32
  const float* inverse = load(&whitener->inverse);
  const float* row =
      inverse + std::size_t{r} * (mutant("whiten.stride") ? shape.dimensions : shape.stride);
  const std::int8_t* example =
      examples + std::size_t{mutant("whiten.batch") ? 0 : b} * shape.stride;

  const unsigned count = mutant("whiten.count") ? shape.stride - 16 : shape.stride;
  const float sum = quad_dot([&](unsigned i) { return load_floats(row + i); },
                             [&](unsigned i) { return load_bytes(example + i); }, count, lane);
  if (thread % 4 == (mutant("whiten.writer") ? 1 : 0)) {
    store(whitened + std::size_t{b} * shape.stride + r, sum);
  }
}

// Similarities and whitening of a batch in one launch: the first blocks do the one, the rest the
// other.
static __global__ void __launch_bounds__(kSimilarityThreads)
    ask_kernel(StoreShape shape, const std::int8_t* keys, const WhitenerView* whitener,
               Query query) {
  const unsigned block = blockIdx.x;
  const unsigned b = blockIdx.y;
  const auto* examples = static_cast<const std::int8_t*>(query.examples);
  const unsigned first =
      (shape.classifiers + kSimilarityThreads / 8 - 1) / (kSimilarityThreads / 8);
  if (block < first) {
    similarity_i8_block(shape, keys, examples, static_cast<std::int32_t*>(query.similarities),
                        block, b);
  } else {
    whiten_block(shape, whitener, examples, query.whitened,
                 mutant("whiten.block") ? block : block - first, b);
  }
}

}  // namespace jackdaw::cuda
