// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of shaded cells in a few levels: small, even for a hundred rows.

#include <string>
#include <vector>

#include "replay/report/html.hpp"

namespace jackdaw::replay::report {

struct HeatMap {
  std::string title, description, x_label;
  std::vector<std::string> names;  // of the rows
  std::vector<std::vector<double>> values;
  double most = 1.0;  // drawn darkest
};

void draw(Html& html, const HeatMap& map);

}  // namespace jackdaw::replay::report
