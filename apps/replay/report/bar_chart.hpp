// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One bar a head with a whisker of one deviation, and marks for what others have published.

#include <string>
#include <vector>

#include "replay/report/html.hpp"

namespace jackdaw::replay::report {

struct Bar {
  std::string css_class, name, shown;  // shown: the number as text
  double mean = 0.0, deviation = 0.0;
};

struct Mark {
  std::string name;
  double value = 0.0;
};

struct BarChart {
  std::string title, description;
  double most = 100.0, least = 0.0;  // of the axis
  bool dots = false;                 // dots instead of bars: for an axis that does not begin at 0
  std::vector<Bar> bars;
  std::vector<Mark> published;
};

void draw(Html& html, const BarChart& chart);

}  // namespace jackdaw::replay::report
