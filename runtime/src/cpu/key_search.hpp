// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed's k nearest keys and their similarities, as core/fixed_point.hpp defines them.
//
// An example's high bytes alone give every similarity to within a known distance: the rest of the
// example is a vector of known length, and a key's direction has length 1. So first all keys are
// compared with one byte an element; then only those that may be among the k nearest, about twice
// as many as k, are compared with the other bytes. What comes out is what comparing all of them in
// full gives, bit for bit.
//
//   const KeySearch search{store, loops, packed, least, most};
//   search.compare(scratch, batch);      // scratch.examples -> scratch.similarities
//   search.select(scratch, b);           // example b -> scratch.chosen, scratch.weights

#include <cstdint>

#include "core/scratch.hpp"
#include "core/store_view.hpp"
#include "cpu/primitives.hpp"

namespace jackdaw {

struct KeySearch {
  const StoreView& store;
  const Primitives& loops;
  const std::int8_t* packed;  // the keys, by loops.pack_keys
  float least_inverse;        // of the keys' inverse lengths
  float most_inverse;

  void compare(const ScratchView& scratch, std::uint32_t batch) const noexcept;
  void select(const ScratchView& scratch, std::size_t b) const noexcept;

 private:
  std::size_t find_candidates(const ScratchView& scratch, std::size_t b) const noexcept;
};

}  // namespace jackdaw
