// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Two results side by side. Rows that are about the same thing are paired; where both have the same
// seed and number of runs, each pair of runs saw the same stream, and the difference is that of
// pairs, which is much sharper than that of means.

#include <optional>
#include <string>
#include <vector>

#include "replay/results.hpp"

namespace jackdaw::replay {

struct Difference {  // of B minus A
  double mean = 0.0;
  std::optional<double> standard_error;  // none for a single run
  bool paired = false;                   // run by run; otherwise from the two deviations
};

struct ComparedRow {
  std::string data, schedule, what;  // what: head, profile, label
  std::string encoder_a, encoder_b;
  Spread accuracy_a, accuracy_b;
  std::string unpaired;  // why runs are not paired: "another seed"; empty if they are
  Difference accuracy;
  std::optional<Difference> forgetting;  // none: tested once, or not equally often
};

struct Comparison {
  std::vector<ComparedRow> rows;
  std::vector<std::string> only_a, only_b;  // rows without a partner
};

Difference difference(const Spread& a, const Spread& b, bool paired);

// Rows pair up by data, schedule, head, profile, label and encoder, those of one group first, in
// the order of A; then those that are left with another encoder, then by data and schedule alone,
// if there is one such row on either side.
Comparison compare(const Results& a, const Results& b);

}  // namespace jackdaw::replay
