// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one predicting thread (or the teacher) computes in. Pointers are into the slab.

#include <cstddef>
#include <cstdint>

#include "jackdaw/settings.hpp"

namespace jackdaw {

constexpr std::size_t kQueriesAtOnce = 8;  // examples that are whitened together (default)

struct ScratchView {
  std::int32_t* similarities = nullptr;  // [max_batch][n]; seed: with the high bytes
  std::uint32_t* chosen = nullptr;       // [max_batch][k] ascending
  float* weights = nullptr;              // [max_batch][k] similarity weights of the chosen
  void* examples = nullptr;              // [max_batch][stride] int8 or float, padded
  // [stride], in profile default [kQueriesAtOnce][stride]:
  float* query = nullptr;  // the example as float, then a class mean
  float* whitened = nullptr;
  float* dots = nullptr;   // [max_classes]
  float* sums = nullptr;   // [max_classes]
  float* lanes = nullptr;  // [lane_floats(stride)] profile default: for P x
  // Profile seed only; for the key search (cpu/key_search.hpp):
  std::int8_t* high = nullptr;               // [max_batch][stride]
  std::int8_t* low = nullptr;                // [max_batch][3][stride]
  std::int32_t* multipliers = nullptr;       // [max_batch]
  float* rests = nullptr;                    // [max_batch]
  std::int32_t* order = nullptr;             // [n] similarities as sortable whole numbers
  std::uint32_t* candidates = nullptr;       // [n]
  std::int32_t* low_similarities = nullptr;  // [3][n]
  // Profile seed only; for batches:
  std::int32_t* next = nullptr;  // [max_batch][k] examples that chose one classifier, linked
  std::int32_t* head = nullptr;  // [n]
  float* answers = nullptr;      // [max_batch][max_classes]
  std::int8_t* example_signs = nullptr;  // [max_batch][stride]
  float* totals = nullptr;               // [max_batch]
  std::uint32_t* slots = nullptr;        // [max_batch] what the examples are taught as
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
