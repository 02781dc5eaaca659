// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed's answer: every class's score, one block a class.
//
// store   rows, counts, class_counts: device, read
// query   chosen, weights [batch][k]: device, read;
//         totals [batch], examples [batch][stride] float: mapped, read;
//         scores [batch][max_classes]: mapped, written in full
// grid    (max_classes, batch), kSeedReadOutThreads threads; shared memory 128 bytes
//
//  1. p_j = x.W_jc for 32 chosen j at a time, two lanes a row;
//  2. v_j = tau*tanh((p_j + b_jc)*learning_rate/tau);
//  3. thread 0: y = fma(s_j, v_j, y) in ascending order of j;
//  4. score = y/S, typicality 1. A slot not in use, or S <= 0: -infinity, 0.

#include "core/tanh32.hpp"
#include "cuda/answer_default.cuh"
#include "cuda/row_answers.cuh"

namespace jackdaw::cuda {

constexpr unsigned kSeedReadOutThreads = 2 * kRowsAtOnce;

// Rows count in steps of the learning rate; so do biases.
__device__ __forceinline__ float seed_argument(float dot, std::int32_t bias, const Rule& rule) {
  return (dot + static_cast<float>(bias)) * rule.seed.learning_rate / rule.seed.tau;
}

template <class Element>
__global__ void __launch_bounds__(kSeedReadOutThreads)
    read_out_seed_kernel(StoreView store_view, Rule rule, Query query) {
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const unsigned c = blockIdx.x;
  const unsigned b = blockIdx.y;
  const StoreShape& shape = store_view.shape;
  const unsigned k = shape.nearest;
  const float* x = static_cast<const float*>(query.examples) + std::size_t{b} * shape.stride;
  ClassScore* score = query.scores + std::size_t{b} * shape.max_classes + c;
  __shared__ SharedArray<float, kRowsAtOnce> answers;

  const float total = load(query.totals + b);
  const bool in_use = mutant("read_out_seed.unused") || load(store_view.class_counts + c) >= 0;
  if (!in_use || !(total > 0.0F)) {
    if (thread == 0) store(score, no_score());
    return;
  }

  float sum = 0.0F;
  for (unsigned first = 0; first < k; first += kRowsAtOnce) {
    const unsigned r = first + thread / 2;
    const bool has_row = r < k;
    const std::size_t row = has_row ? shape.row(load(query.chosen + std::size_t{b} * k + r), c) : 0;
    const auto* elements = static_cast<const std::uint16_t*>(store_view.rows) + row * shape.stride;
    const float dot = pair_dot<Element>(elements, x, has_row ? shape.stride : 0, lane);
    if (has_row && thread % 2 == 0) {
      const std::int32_t bias = mutant("read_out_seed.bias") ? 0 : load(store_view.counts + row);
      answers[thread / 2] = rule.seed.tau * tanh32(seed_argument(dot, bias, rule));
    }
    if (!mutant("read_out_seed.first_barrier")) __syncthreads();
    for (unsigned i = 0; thread == 0 && i < kRowsAtOnce && first + i < k; ++i) {
      const float weight = load(query.weights + std::size_t{b} * k + first + i);
      sum = fmaf(weight, answers[i], sum);
    }
    if (!mutant("read_out_seed.second_barrier"))
      __syncthreads();  // the next rows overwrite the answers
  }
  if (thread == 0)
    store(score, ClassScore{mutant("read_out_seed.total") ? sum : sum / total, 1.0F});
}

}  // namespace jackdaw::cuda
