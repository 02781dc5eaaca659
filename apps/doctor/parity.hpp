// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Teaches and asks two ensembles the same, and compares: which classifiers are chosen, what is
// stored, and the scores.
//
//   const Parity parity = compare(*cpu, *gpu, 300);
//   const Finding finding = judge(parity);

#include <cstdint>

#include "doctor/finding.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::doctor {

// Scores may differ by this share of the largest: a sum of some hundred floats, each rounded to
// 2^-24, is off by about 1e-5 of it when it is added up in another order. Choices and stores are
// whole numbers and may not differ at all.
constexpr double kScoreTolerance = 1e-5;

struct Parity {
  std::uint32_t lessons = 0;
  std::uint32_t answers = 0;
  std::uint32_t other_status = 0;   // calls that one refused and the other did not
  std::uint32_t other_choice = 0;   // answers for which other classifiers were chosen
  std::uint32_t other_store = 0;    // classes, or the shared statistics, with other bytes
  double largest_difference = 0.0;  // of scores, as a share of the largest score
  bool same_bits = true;            // of all scores

  Parity& operator+=(const Parity& other);
};

// Both must be empty and of the same settings.
Parity compare(Ensemble& one, Ensemble& other, std::uint32_t lessons);
Finding judge(const Parity& parity);

}  // namespace jackdaw::doctor
