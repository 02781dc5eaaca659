// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of the k classifiers that answer for one picture at one moment: a tick for each of
// them, a bar for their weighted mean; the true class and a wrong winner stand out.

#include <string>
#include <vector>

#include "replay/report/html.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay::report {

struct ActivationChart {
  std::string title, description;
  const ActivationMoment* moment = nullptr;
  std::vector<std::string> names;  // of the classes shown
  std::size_t truth = 0;           // index among them
  double least = 0.0, most = 1.0;  // of the axis
};

void draw(Html& html, const ActivationChart& chart);

// Index of the largest answer; names.size() of none.
std::size_t winner(const ActivationMoment& moment);

}  // namespace jackdaw::replay::report
