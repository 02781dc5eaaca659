// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of the page, a file each. Each draws what the results have of it; has_... says whether
// that is anything at all.

#include <string>
#include <vector>

#include "replay/report/html.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay::report {

void add_summary(Html& html, const Results& results);  // the head of the page

bool has_rows(const Results& results);
void add_accuracy(Html& html, const Results& results);    // the table in the paper's form
void add_conditions(Html& html, const Results& results);  // which encoder, how much memory and data

bool has_curves(const Results& results);
void add_curves(Html& html, const Results& results);  // task-wise and overall accuracies

bool has_schedules(const Results& results);
void add_schedules(Html& html, const Results& results);

bool has_main_rows(const Results& results);
bool has_forgetting(const Results& results);
void add_forgetting(Html& html, const Results& results);

bool has_classes(const Results& results);
void add_classes(Html& html, const Results& results);

bool has_activations(const Results& results);
void add_activations(Html& html, const Results& results);
bool has_keys(const Results& results);
void add_keys(Html& html, const Results& results);
bool has_maps(const Results& results);
void add_maps(Html& html, const Results& results);

bool has_other_tables(const Results& results);
void add_other_tables(Html& html, const Results& results);  // few, second, ablation, encoders
void add_all_measures(Html& html, const Results& results);
void add_settings(Html& html, const Results& results);  // machine, versions, command, notes

// --- what they share -----------------------------------------------------------------------------
// Opens <figure> and, inside, a grid for panels; captioned when it ends.
class Figure {
 public:
  Figure(Html& html, const std::string& heading, std::string caption,
         const char* grid = "grid three");
  ~Figure();
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;
  void begin_panels();  // after a legend; the first panel needs it

 private:
  Html& html_;
  std::string caption_;
  const char* grid_;
  bool panels_ = false;
};

// A button for each head, which hides and shows it in its figure.
void add_legend(Html& html, const std::vector<const Row*>& rows);

void begin_table(Html& html, const std::string& caption, const char* css_class = "");
void end_table(Html& html);
// A name that begins with ">" is that of a column of numbers.
void head_row(Html& html, const std::vector<std::string>& names);
// <td>, right-aligned numbers: css_class "n".
void cell(Html& html, const std::string& text, const char* css_class = "");

}  // namespace jackdaw::replay::report
