// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lines with bands of one deviation over the batches of a stream: one panel of small multiples.

#include <string>
#include <vector>

#include "replay/report/html.hpp"

namespace jackdaw::replay::report {

struct LineSeries {
  std::string css_class, name;
  const std::vector<double>* mean = nullptr;
  const std::vector<double>* deviation = nullptr;  // none: no band
};

struct LineChart {
  std::string title, description;
  std::vector<double> x;
  double x_most = 1.0;
  double y_least = 0.0, y_most = 100.0;
  std::vector<LineSeries> series;
  std::vector<std::pair<double, double>> shaded;  // spans of x
};

void draw(Html& html, const LineChart& chart);

}  // namespace jackdaw::replay::report
