// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// When each class is taught: a ridge for each, one above the other in the order of the stream.

#include "replay/report/html.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay::report {

struct RidgeChart {
  std::string title, description;
  const Occupancy* occupancy = nullptr;
  std::vector<std::string> names;  // [class]
  std::uint32_t batches = 0;
};

void draw(Html& html, const RidgeChart& chart);

// When a class is taught, on average, in bins; classes that are never taught come last.
std::vector<std::size_t> by_time(const Occupancy& occupancy);

}  // namespace jackdaw::replay::report
