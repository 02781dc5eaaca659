// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "replay/report/bar_chart.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"
#include "replay/report/svg.hpp"
#include "replay/test_intervals.hpp"

namespace jackdaw::replay::report {
namespace {

// Tested once, a stream shows nothing of what was forgotten.
bool shows_forgetting(const Row& row) { return is_main(row) && !tested_once(row); }

}  // namespace

bool has_forgetting(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(), shows_forgetting);
}

void add_forgetting(Html& html, const Results& results) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (shows_forgetting(row)) rows.push_back(&row);
  }
  Figure figure(
      html, "",
      "Forgetting in points: for each class the best accuracy at any evaluation (one every " +
          test_intervals(results, rows) +
          " batches) less the last, the mean over the classes. Whiskers are one deviation "
          "over the runs; diamonds are published by others. Small is good, but a model "
          "that never learned a class has nothing to forget.");
  figure.begin_panels();
  const std::vector<Setting> settings = settings_of(results, shows_forgetting);
  for (const Setting& setting : settings) {
    BarChart chart;
    chart.title = data_name(setting.data) + ", " + schedule_name(setting.schedule);
    chart.description = "Forgetting in points, one bar a model, with one deviation.";
    double most = 1.0;
    for (const Row* row : main_rows(results, setting.data, setting.schedule)) {
      if (!shows_forgetting(*row)) continue;
      chart.bars.push_back({series_class(*row), short_model(*row), plus_minus(row->forgetting),
                            row->forgetting.mean, row->forgetting.std});
      most = std::max(most, row->forgetting.mean + row->forgetting.std);
    }
    for (const Published& p : results.published) {
      if (p.data != setting.data || p.schedule != setting.schedule || !p.forgetting) continue;
      chart.published.push_back({brief_model(p.model), *p.forgetting});
      most = std::max(most, *p.forgetting);
    }
    chart.most = round_up(most);
    draw(html, chart);
  }
}

}  // namespace jackdaw::replay::report
