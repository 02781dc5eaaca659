// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile default's answer, second half: every class's score from what row_answers found. One
// thread a class.
//
// store      class_counts: device, read
// whitener   device: the class norms and what is pooled from them
// query      weights [batch][k], class_answers, row_answers: device, read;
//            scores [batch][max_classes]: mapped, written in full
// grid       (answer_blocks(max_classes), batch), kAnswerThreads threads; shared memory 1 KB
//
// For kAnswerThreads chosen classifiers at a time:
//  1. one thread a classifier: what its row says of all classes alike, shared = sum of beyond over
//     the classes, ascending, divided by (examples of the row + offset_examples). Every block does
//     it again: it is short.
//  2. one thread a class, classifiers in ascending order, starting from the class's own answer:
//     agreement = fma(weight, (beyond - n*shared)/(n + lambda), agreement).
// Then score = scale*(agreement/sqrt(norm)) and typicality = agreement/norm with the settled norm
// of the class; a class without examples: -infinity, 0.

#include "cuda/arguments.hpp"
#include "cuda/element.cuh"

namespace jackdaw::cuda {

constexpr unsigned kAnswerThreads = 128;

inline unsigned answer_blocks(unsigned max_classes) {
  return (max_classes + kAnswerThreads - 1) / kAnswerThreads;
}

__device__ inline ClassScore no_score() { return {__uint_as_float(0xFF800000U), 0.0F}; }

// As core/whitening.hpp has it, for the device.
__device__ inline float settled_norm_of(const DefaultRule& rule, float dimensions, float norm,
                                        float examples, float common) {
  const float weight = examples / (examples + rule.pool_examples);
  const float pulled = weight * (norm - dimensions / examples) + (1.0F - weight) * common;
  const float least = rule.least_norm * norm;
  const float settled = pulled > least || mutant("answer_default.least") ? pulled : least;
  return settled > 1e-12F ? settled : 1e-12F;
}

// What the row of chosen classifier r says of all classes alike.
__device__ inline float shared_answer(const StoreShape& shape, const DefaultRule& rule,
                                      const RowAnswer* answers, unsigned r) {
  float sum = 0.0F;
  long long taught = 0;
  for (unsigned c = 0; c < shape.max_classes; ++c) {
    const RowAnswer answer = load(answers + std::size_t{c} * shape.nearest + r);
    if (answer.count == 0) continue;
    sum += answer.beyond;
    taught += answer.count;
  }
  return sum / (static_cast<float>(taught) +
                (mutant("answer_default.offset") ? 0.0F : rule.offset_examples));
}

static __global__ void __launch_bounds__(kAnswerThreads)
    answer_default_kernel(StoreView view, const WhitenerView* whitener, Rule rule, Query query) {
  const unsigned thread = threadIdx.x;
  const unsigned c = blockIdx.x * kAnswerThreads + thread;
  const unsigned b = blockIdx.y;
  const StoreShape& shape = view.shape;
  const unsigned k = shape.nearest;
  const std::size_t place = std::size_t{b} * shape.max_classes;
  const RowAnswer* answers = query.row_answers + place * k;
  __shared__ SharedArray<float, kAnswerThreads> shared;
  __shared__ SharedArray<float, kAnswerThreads> weights;

  const bool exists = c < shape.max_classes;
  const std::int32_t examples = exists ? load(view.class_counts + c) : 0;
  const bool taught = examples > 0 || (exists && mutant("answer_default.untaught"));
  float agreement = taught ? load(query.class_answers + place + c) : 0.0F;

  for (unsigned first = 0; first < k; first += kAnswerThreads) {
    if (first + thread < k) {
      shared[thread] = shared_answer(shape, rule.normal, answers, first + thread);
      weights[thread] = load(query.weights + std::size_t{b} * k + first + thread);
    }
    if (!mutant("answer_default.first_barrier")) __syncthreads();
    for (unsigned i = 0; taught && i < kAnswerThreads && first + i < k; ++i) {
      const RowAnswer answer = load(answers + std::size_t{c} * k + first + i);
      if (answer.count == 0) continue;
      const float count = static_cast<float>(answer.count);
      const float correction = (answer.beyond - count * shared[i]) / (count + rule.normal.lambda);
      agreement = fmaf(weights[mutant("answer_default.weight") ? 0 : i], correction, agreement);
    }
    if (!mutant("answer_default.second_barrier"))
      __syncthreads();  // the next ones overwrite what was shared
  }

  if (!exists) return;
  ClassScore score = no_score();
  if (taught) {
    const Pooled* pooled = load(&whitener->pooled);
    const float norm = settled_norm_of(rule.normal, static_cast<float>(shape.dimensions),
                                       load(load(&whitener->class_norms) + c),
                                       static_cast<float>(examples), load(&pooled->norm));
    score = {load(&pooled->scale) * (agreement / sqrtf(norm)), agreement / norm};
  }
  store(query.scores + place + c, score);
}

}  // namespace jackdaw::cuda
