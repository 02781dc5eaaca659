// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One warp changes one row: row[i] = clamp(row[i] + delta(i)), 16 bytes a lane.

#include "cuda/element.cuh"

namespace jackdaw::cuda {

// delta(i, out): the changes of the eight elements from i on. row: [stride], device. True, in every
// lane, if an element of the row had to be clamped. All lanes of the warp call.
template <class Element, class Delta>
__device__ inline bool step_row(std::uint16_t* row, unsigned stride, unsigned lane,
                                const Delta& delta) {
  bool clamped = false;
  const unsigned end = mutant("row_step.tail") ? stride - 8 : stride;
  for (unsigned i = 8 * lane; i < end; i += 8 * kWarp) {
    int change[8];
    delta(i, change);
    const uint4 chunk = load16(row + i);
    unsigned bits[8];
    for (unsigned m = 0; m < 8; ++m) {
      const int sum = Element::decode(element_bits(chunk, m)) + change[m];
      const int low = mutant("row_step.low") ? -Element::kLimit - 1 : -Element::kLimit;
      const int high = mutant("row_step.high") ? Element::kLimit + 1 : Element::kLimit;
      const int kept = sum < low ? low : sum > high ? high : sum;
      clamped |= kept != sum;
      bits[m] = Element::encode(kept);
    }
    store16(row + i, uint4{bits[0] | bits[1] << 16U, bits[2] | bits[3] << 16U,
                           bits[4] | bits[5] << 16U, bits[6] | bits[7] << 16U});
  }
  const unsigned lanes = __ballot_sync(kAllLanes, clamped);
  return mutant("row_step.clipped") ? (lanes & 1U) != 0 : lanes != 0;
}

}  // namespace jackdaw::cuda
