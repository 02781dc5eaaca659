// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu/key_search.hpp"

#include <cmath>

#include "core/fixed_point.hpp"

namespace jackdaw {
namespace {

constexpr std::int64_t kTwoParts = 65000;  // half of it is within +-(127*256 + 127)

}  // namespace

void KeySearch::compare(const ScratchView& scratch, std::uint32_t batch) const noexcept {
  const std::size_t stride = store.shape.stride;
  const auto* examples = static_cast<const float*>(scratch.examples);
  for (std::size_t b = 0; b < batch; ++b) {
    SplitExample example{scratch.high + b * stride, scratch.low + b * kLowParts * stride, 1, 0.0F};
    loops.split(examples + b * stride, stride, example);
    scratch.multipliers[b] = example.multiplier;
    scratch.rests[b] = example.rest;
  }
  loops.similarities(packed, store.shape.classifiers, stride, scratch.high, batch,
                     scratch.similarities, store.shape.classifiers);
}

// The keys that may be among the k nearest. In units of the multiplier, a similarity and its value
// by the high bytes are at most `rest` apart, so one of the k nearest is at most twice that below
// the k-th by high bytes. Keys are nearly, not quite, of one length: where a dot product stands for
// a cosine, the lengths at the ends of their range are used. What floats round off is far less than
// the millionth of |x| that is added.
std::size_t KeySearch::find_candidates(const ScratchView& scratch, std::size_t b) const noexcept {
  const std::size_t n = store.shape.classifiers;
  const std::int32_t* dots = scratch.similarities + b * n;
  const auto kth = static_cast<float>(loops.reached_by(dots, n, store.shape.nearest));
  const float apart = (scratch.rests[b] * 1.001F + 1e-6F * kFixedPointOne) /
                      static_cast<float>(scratch.multipliers[b]);
  const float least = kth * (kth > 0.0F ? least_inverse : most_inverse) - 2.0F * apart;
  const float bound = least / (least > 0.0F ? most_inverse : least_inverse);
  return loops.collect(dots, n, static_cast<std::int32_t>(std::floor(bound)), scratch.candidates);
}

void KeySearch::select(const ScratchView& scratch, std::size_t b) const noexcept {
  const std::size_t n = store.shape.classifiers;
  const std::size_t k = store.shape.nearest;
  const std::size_t stride = store.shape.stride;
  const std::size_t count = find_candidates(scratch, b);
  const std::int64_t multiplier = scratch.multipliers[b];
  // What the low parts stand for is at most half the multiplier: two bytes hold that, or three.
  const std::size_t parts = multiplier < kTwoParts ? 2 : 3;
  std::int32_t* low = scratch.low_similarities;
  loops.low_similarities(store.keys, scratch.candidates, count, stride,
                         scratch.low + b * kLowParts * stride, parts, low, n);
  for (std::size_t c = 0; c < count; ++c) {
    const std::uint32_t j = scratch.candidates[c];
    const std::int64_t third = parts == 3 ? low[2 * n + c] : 0;
    const std::int64_t sum =
        multiplier * scratch.similarities[b * n + j] + low[c] + 256 * (low[n + c] + 256 * third);
    scratch.order[c] = sortable(similarity_of(sum, store.inverse_lengths[j]));
  }
  std::uint32_t* chosen = scratch.chosen + b * k;
  loops.top_k(scratch.order, count, k, chosen);
  for (std::size_t r = 0; r < k; ++r) {
    scratch.weights[b * k + r] = from_sortable(scratch.order[chosen[r]]);
    chosen[r] = scratch.candidates[chosen[r]];
  }
}

}  // namespace jackdaw
