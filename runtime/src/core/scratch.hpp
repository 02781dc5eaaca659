// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one predicting thread (or the teacher) computes in. Pointers are into the slab.

#include <cstddef>
#include <cstdint>

#include "jackdaw/settings.hpp"

namespace jackdaw {

struct ScratchView {
  void* similarities = nullptr;         // [max_batch][n] int32 (default) or float (seed)
  std::int32_t* order = nullptr;        // [n] similarities as sortable whole numbers
  std::uint64_t* candidates = nullptr;  // [n] for top-k
  std::uint32_t* chosen = nullptr;      // [max_batch][k] ascending
  float* weights = nullptr;             // [max_batch][k] similarity weights of the chosen
  void* examples = nullptr;             // [max_batch][stride] int8 or float, padded
  float* query = nullptr;               // [stride] the example as float, then a class mean
  float* whitened = nullptr;            // [stride]
  float* dots = nullptr;                // [max_classes]
  float* sums = nullptr;                // [max_classes]
  // Profile seed only:
  std::int32_t* next = nullptr;  // [max_batch][k] examples that chose one classifier, linked
  std::int32_t* head = nullptr;  // [n]
  float* answers = nullptr;      // [max_batch][max_classes]
  std::int8_t* example_signs = nullptr;  // [max_batch][stride]
};

// Bytes of one scratch area, a multiple of the slab's alignment. Throws CapacityError on overflow.
std::uint64_t scratch_bytes(const EnsembleSettings& settings);

// The part of `whole` that starts at example `first`, with the arrays that serve one example at a
// time from `own`: what one thread of several works in.
ScratchView slice(const ScratchView& whole, const ScratchView& own,
                  const EnsembleSettings& settings, std::uint32_t first) noexcept;

// Lays the arrays out from `base`.
ScratchView scratch_at(std::byte* base, const EnsembleSettings& settings) noexcept;

}  // namespace jackdaw
