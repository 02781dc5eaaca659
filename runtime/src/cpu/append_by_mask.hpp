// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// append_reached() for instruction sets that have no better way than a mask. Included by their
// files after mask_at_least(), under the rules of primitives_fast.hpp.

#include <cstddef>
#include <cstdint>

namespace jackdaw {
namespace {

// Lists those of 16 values, the first of which has index `first`, that reach `bound`; how many.
inline std::size_t append_reached(const std::int32_t* values, std::int32_t bound,
                                  std::uint32_t first, std::uint32_t* indices) {
  std::size_t count = 0;
  for (std::uint32_t mask = mask_at_least(values, bound); mask != 0; mask &= mask - 1) {
    indices[count++] = first + static_cast<std::uint32_t>(__builtin_ctz(mask));
  }
  return count;
}

}  // namespace
}  // namespace jackdaw
