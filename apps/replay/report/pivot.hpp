// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of the results as a table in the paper's form: models down, data and schedules across.

#include <string>
#include <vector>

#include "replay/report/html.hpp"
#include "replay/report/names.hpp"

namespace jackdaw::replay::report {

struct PivotLine {
  const Row* first = nullptr;     // whose model it is
  bool by_encoder = false;        // the encoder is part of what it is
  std::vector<const Row*> cells;  // [column], null where there is none
};

struct Pivot {
  std::vector<Setting> columns;
  std::vector<PivotLine> lines;
};

Pivot pivot_of(const Results& results, bool (*wanted)(const Row&));

// Best of each column in bold. published: what others report, below and marked as theirs.
void add_pivot(Html& html, const Pivot& pivot, const std::string& caption,
               const std::vector<Published>& published);

}  // namespace jackdaw::replay::report
