// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile default's answer, first half: what every class's mean and every chosen classifier's row
// say of the whitened example u. One block a class.
//
// store   rows, counts, class_sums, class_counts: device, read
// query   chosen [batch][k], whitened [batch][stride]: device, read;
//         class_answers [batch][max_classes], row_answers [batch][max_classes][k]: device, written
//         (of a class without examples only the counts, 0)
// grid    (max_classes, batch), kRowAnswerThreads threads; shared memory 4 bytes
//
//  1. one warp: a = u.S_c / n_c;
//  2. meanwhile two warps: p = u.R_jc for 32 chosen j at a time, two lanes a row; a row with count
//     0 is not read;
//  3. beyond = p - n_jc*a.

#include "cuda/arguments.hpp"
#include "cuda/lane_dot.cuh"

namespace jackdaw::cuda {

constexpr unsigned kRowsAtOnce = 32;
constexpr unsigned kRowAnswerThreads = 2 * kRowsAtOnce + kWarp;

__device__ inline Four load_whole(const std::int32_t* at) {
  const uint4 c = load16(at);
  return {{static_cast<float>(static_cast<int>(c.x)), static_cast<float>(static_cast<int>(c.y)),
           static_cast<float>(static_cast<int>(c.z)), static_cast<float>(static_cast<int>(c.w))}};
}

template <class Element>
__global__ void __launch_bounds__(kRowAnswerThreads)
    row_answers_kernel(StoreView view, Query query) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned warp = thread / kWarp;
  const unsigned c = blockIdx.x;
  const unsigned b = blockIdx.y;
  const StoreShape& shape = view.shape;
  const unsigned k = shape.nearest;
  const std::size_t place = std::size_t{b} * shape.max_classes + c;
  RowAnswer* answers = query.row_answers + place * k;
  const float* u = query.whitened + std::size_t{b} * shape.stride;
  __shared__ SharedArray<float, 1> class_answer;

  const std::int32_t examples = load(view.class_counts + c);
  if (examples <= 0) {
    for (unsigned r = thread; r < k; r += kRowAnswerThreads) store(answers + r, RowAnswer{});
    return;
  }

  for (unsigned first = 0; first < k; first += kRowsAtOnce) {
    const unsigned r = first + thread / 2;
    const bool has_row = warp < 2 && r < (mutant("row_answers.tail") ? k - 1 : k);
    std::int32_t count = 0;
    float dot = 0.0F;
    if (warp < 2) {
      const std::size_t row =
          has_row ? shape.row(load(query.chosen + std::size_t{b} * k + r), c) : 0;
      count = has_row ? load(view.counts + row) : 0;
      const auto* elements = static_cast<const std::uint16_t*>(view.rows) +
                             row * (mutant("row_answers.stride") ? shape.dimensions : shape.stride);
      dot = pair_dot<Element>(elements, u, count != 0 ? shape.stride : 0, lane);
    } else if (first == 0) {
      const std::int32_t* sums = view.class_sums + std::size_t{c} * shape.stride;
      const float sum = quad_dot([&](unsigned i) { return load_floats(u + i); },
                                 [&](unsigned i) { return load_whole(sums + i); },
                                 lane < 4 ? shape.stride : 0, lane);
      const float a = mutant("row_answers.mean") ? sum : sum / static_cast<float>(examples);
      if (lane == 0) class_answer[0] = a;
      if (lane == 0) store(query.class_answers + place, a);
    }
    if (first == 0 && !mutant("row_answers.barrier")) __syncthreads();
    if (has_row && thread % 2 == 0) {
      const float expected = static_cast<float>(count) * class_answer[0];
      const float beyond = mutant("row_answers.fused")
                               ? fmaf(-static_cast<float>(count), class_answer[0], dot)
                               : dot - expected;
      store(answers + r, RowAnswer{beyond, count});
    }
  }
}

}  // namespace jackdaw::cuda
