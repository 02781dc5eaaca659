// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which classes are hard: those of the headline row of each data set, the hardest first.
#include <algorithm>

#include "replay/report/bar_chart.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr std::size_t kMostBars = 12;

bool drawable(const Row& row) { return is_main(row) && row.classes.size() > 1; }

}  // namespace

bool has_classes(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(), drawable);
}

void add_classes(Html& html, const Results& results) {
  Figure figure(html, "",
                "Accuracy in percent of each class after the stream, the hardest first, with one "
                "deviation over the runs; of many classes the twelve hardest.");
  figure.begin_panels();
  std::string before;
  for (const Setting& setting : settings_of(results, drawable)) {
    if (setting.data == before) continue;
    before = setting.data;
    const Row* row = headline_row(results, setting.data);
    if (row == nullptr || !drawable(*row)) continue;
    std::vector<const ClassResult*> classes;
    for (const ClassResult& one : row->classes) classes.push_back(&one);
    std::stable_sort(classes.begin(), classes.end(),
                     [](const ClassResult* a, const ClassResult* b) {
                       return a->accuracy.mean < b->accuracy.mean;
                     });
    if (classes.size() > kMostBars) classes.resize(kMostBars);
    BarChart chart;
    chart.title =
        data_name(row->data) + ", " + schedule_name(row->schedule) + ", " + short_model(*row);
    chart.description = "Accuracy of each class, one bar a class, with one deviation.";
    for (const ClassResult* one : classes) {
      chart.bars.push_back({series_class(*row), one->name, plus_minus(one->accuracy),
                            one->accuracy.mean, one->accuracy.std});
    }
    draw(html, chart);
  }
}

}  // namespace jackdaw::replay::report
