// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The dot product in the one summation order that every backend has (see cpu/primitives.hpp):
//
//   16 accumulators; lane l takes acc = fma(a[i], b[i], acc) for i = l, l+16, l+32, ...;
//   then a tree: l += l+8, l += l+4, l += l+2, l += l+1.
//
// 16-byte loads give a thread neighbouring elements, so a thread holds neighbouring accumulators:
// of float or int32 four (a quad of threads makes a row), of 16-bit elements eight (a pair).
//
// Every lane of the warp must call, with count = 0 if it has no row. The result is in the first
// thread of the quad or pair.

#include "cuda/element.cuh"

namespace jackdaw::cuda {

// a(i), b(i): the four elements from i on, as Four. count: elements, a multiple of 16.
template <class A, class B>
__device__ __forceinline__ float quad_dot(const A& a, const B& b, unsigned count, unsigned lane) {
  const unsigned part = lane % 4;
  float acc[4] = {0.0F, 0.0F, 0.0F, 0.0F};
  for (unsigned i = 4 * part; i < count; i += 16) {
    const Four x = a(i);
    const Four y = b(i);
    for (unsigned m = 0; m < 4; ++m) acc[m] = fmaf(x.value[m], y.value[m], acc[m]);
  }
  const unsigned eight_lanes_on = mutant("lane_dot.quad_order") ? 1 : 2;
  const unsigned four_lanes_on = mutant("lane_dot.quad_order") ? 2 : 1;
  for (unsigned m = 0; m < 4; ++m) acc[m] += __shfl_down_sync(kAllLanes, acc[m], eight_lanes_on, 4);
  for (unsigned m = 0; m < 4; ++m) acc[m] += __shfl_down_sync(kAllLanes, acc[m], four_lanes_on, 4);
  return (acc[0] + acc[2]) + (acc[1] + acc[3]);
}

// row: 16-bit elements, x: float; both 16-byte aligned. count: elements, a multiple of 16.
template <class Element>
__device__ __forceinline__ float pair_dot(const std::uint16_t* row, const float* x, unsigned count,
                                          unsigned lane) {
  const unsigned part = lane % 2;
  float acc[8] = {0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
  const unsigned step = mutant("lane_dot.pair_step") ? 32 : 16;
  for (unsigned i = 8 * part; i < count; i += step) {
    const uint4 chunk = load16(row + i);
    const Four low = load_floats(x + i);
    const Four high = load_floats(x + i + 4);
    for (unsigned m = 0; m < 4; ++m) {
      acc[m] = fmaf(low.value[m], Element::number(element_bits(chunk, m)), acc[m]);
      acc[m + 4] = fmaf(high.value[m], Element::number(element_bits(chunk, m + 4)), acc[m + 4]);
    }
  }
  const unsigned mask = mutant("lane_dot.pair_mask") ? 0x55555555U : kAllLanes;
  for (unsigned m = 0; m < 8; ++m) acc[m] += __shfl_down_sync(mask, acc[m], 1, 2);
  for (unsigned m = 0; m < 4; ++m) acc[m] += acc[m + 4];
  return (acc[0] + acc[2]) + (acc[1] + acc[3]);
}

}  // namespace jackdaw::cuda
