// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What kernels are given. Pointers are into device memory unless a comment says mapped: pinned host
// memory that the device reads and writes in place (Jetson: the same DRAM, nothing is copied).
//
// Whatever changes from frame to frame (the example, the slot, the sign, which whitening is
// current) lies behind a pointer and not in an argument, so one captured graph serves every frame.

#include <cstdint>

#include "core/store_view.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::cuda {

// What a chosen classifier's row says of a class; profile default.
struct alignas(8) RowAnswer {
  float beyond = 0.0F;     // u.R - n*(u.m): what it says more than the class's mean does
  std::int32_t count = 0;  // n; 0: it was not taught the class
};

// The work area of one predicting context, or of the teacher.
struct Query {
  void* examples = nullptr;         // mapped [batch][stride] int8 (default) or float (seed), padded
  void* similarities = nullptr;     // [batch][n] int32 (default) or float (seed)
  std::uint32_t* chosen = nullptr;  // [batch][k] ascending
  float* weights = nullptr;         // [batch][k] shares g (default) or similarities (seed)
  float* totals = nullptr;          // mapped [batch] sum of the chosen similarities (seed)
  float* whitened = nullptr;        // [batch][stride] u (default)
  float* class_answers = nullptr;   // [batch][max_classes] u.m_c (default)
  RowAnswer* row_answers = nullptr;  // [batch][max_classes][k] (default)
  float* coefficients = nullptr;     // [batch][k] (seed, teacher only)
  ClassScore* scores = nullptr;      // mapped [batch][max_classes]
  double* square = nullptr;          // mapped: the squared length of what came through the door
};

// What one example is taught as.
struct TeachTarget {
  std::uint32_t slot = 0;
  std::int32_t sign = 1;   // +1 teach, -1 unteach
  std::uint32_t part = 0;  // Part as a number
};

// The rule's numbers, fixed at the start.
struct Rule {
  DefaultRule normal;
  SeedRule seed;
};

inline Rule rule_of(const EnsembleSettings& s) { return {s.default_rule, s.seed_rule}; }

}  // namespace jackdaw::cuda
