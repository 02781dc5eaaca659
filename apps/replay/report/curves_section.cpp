// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Accuracies over the stream, in small multiples: by task as in the paper, and over all classes.
#include <algorithm>

#include "replay/report/line_chart.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"
#include "replay/test_intervals.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr std::size_t kMostTasks = 5;  // panels of one figure, besides the one of all classes

bool was_tested(const Row& row) { return is_main(row) && !row.curves.batches.empty(); }
// A single test is a point, not a curve.
bool drawable(const Row& row) { return was_tested(row) && !tested_once(row); }

// The paper's three models and profile default; where there is none of them, what there is.
std::vector<const Row*> models_of(const Results& results, const Setting& setting) {
  std::vector<const Row*> all, chosen;
  for (const Row* row : main_rows(results, setting.data, setting.schedule)) {
    if (!drawable(*row)) continue;
    all.push_back(row);
    const bool paper = row->head == "vanilla" || row->head == "tanh" || row->head == "ensemble";
    if (paper && row->label.empty()) chosen.push_back(row);
  }
  return chosen.empty() ? all : chosen;
}

std::size_t tasks_of(const std::vector<const Row*>& rows) {
  std::size_t tasks = rows.empty() ? 0 : rows[0]->curves.tasks.size();
  for (const Row* row : rows) tasks = std::min(tasks, row->curves.tasks.size());
  return tasks;
}

std::vector<std::size_t> shown_tasks(std::size_t tasks) {
  std::vector<std::size_t> shown;
  const std::size_t count = std::min(tasks, kMostTasks);
  for (std::size_t i = 0; i < count; ++i) {
    shown.push_back(count == 1 ? 0 : i * (tasks - 1) / (count - 1));
  }
  return shown;
}

LineChart chart_of(const std::vector<const Row*>& rows) {
  LineChart chart;
  const std::vector<std::uint32_t>& batches = rows[0]->curves.batches;
  chart.x.assign(batches.begin(), batches.end());
  chart.x_most = std::max(1.0, chart.x.back());
  return chart;
}

LineSeries series(const Row& row, const Band& band, bool with_band) {
  return {series_class(row), short_model(row), &band.mean, with_band ? &band.std : nullptr};
}

// Only a split teaches one task after the other, for equal times.
bool is_split(const std::string& schedule) {
  return schedule == "lowdata" ||
         (schedule.size() > 3 && schedule.compare(schedule.size() - 3, 3, "way") == 0);
}

void add_tasks(Html& html, const Setting& setting, const std::vector<const Row*>& rows) {
  const std::size_t tasks = tasks_of(rows);
  const std::vector<std::size_t> shown = shown_tasks(tasks);
  std::string caption =
      "Accuracy in percent on the classes of each task, in the order in which a run taught them, "
      "over the batches of the stream; bands are one deviation over the runs. Shaded: while the "
      "task is taught.";
  if (shown.size() < tasks) {
    caption += " " + std::to_string(shown.size()) + " of " + std::to_string(tasks) + " tasks.";
  }
  Figure figure(html, data_name(setting.data) + ", " + schedule_name(setting.schedule), caption);
  add_legend(html, rows);
  figure.begin_panels();
  for (const std::size_t t : shown) {
    LineChart chart = chart_of(rows);
    chart.title = "Task " + std::to_string(t + 1);
    chart.description = "Accuracy on the classes of task " + std::to_string(t + 1) + " of " +
                        std::to_string(tasks) + " over the stream.";
    const double step = chart.x_most / static_cast<double>(tasks);
    chart.shaded.push_back({step * static_cast<double>(t), step * static_cast<double>(t + 1)});
    for (const Row* row : rows) chart.series.push_back(series(*row, row->curves.tasks[t], true));
    draw(html, chart);
  }
  LineChart chart = chart_of(rows);
  chart.title = "All classes";
  chart.description = "Accuracy over all classes over the stream.";
  for (const Row* row : rows) chart.series.push_back(series(*row, row->curves.overall, true));
  draw(html, chart);
}

void add_overall(Html& html, const Results& results) {
  std::vector<const Row*> all;
  for (const Row& row : results.rows) {
    if (drawable(row)) all.push_back(&row);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Row* a, const Row* b) { return series_rank(*a) < series_rank(*b); });
  Figure figure(html, "Every schedule, every model",
                "Accuracy in percent over all classes, taught or not yet, over the batches of the "
                "stream; means over the runs.");
  add_legend(html, all);
  figure.begin_panels();
  for (const Setting& setting : settings_of(results, drawable)) {
    std::vector<const Row*> rows;
    for (const Row* row : main_rows(results, setting.data, setting.schedule)) {
      if (drawable(*row)) rows.push_back(row);
    }
    LineChart chart = chart_of(rows);
    chart.title = data_name(setting.data) + ", " + schedule_name(setting.schedule);
    chart.description = "Accuracy over all classes over the stream, one line a model.";
    for (const Row* row : rows) {
      chart.series.push_back(series(*row, row->curves.overall, row->head == "ensemble"));
    }
    draw(html, chart);
  }
}

bool has_more_batches(const Results& results, const Setting& setting) {
  return std::any_of(results.streams.begin(), results.streams.end(), [&](const StreamInfo& s) {
    return s.data == setting.data && s.schedule == setting.schedule && s.batches > 1;
  });
}

void add_tested_once(Html& html, const Results& results) {
  std::vector<std::string> names;
  bool more_tests = false;  // could have been
  for (const Setting& setting : settings_of(results, was_tested)) {
    const std::vector<const Row*> rows = main_rows(results, setting.data, setting.schedule);
    if (std::any_of(rows.begin(), rows.end(), [](const Row* row) { return drawable(*row); })) {
      continue;
    }
    names.push_back(data_name(setting.data) + " (" + schedule_name(setting.schedule) + ")");
    more_tests = more_tests || has_more_batches(results, setting);
  }
  if (names.empty()) return;
  const Inside note(html, "p", {{"class", "note"}});
  html.text(listed(names) + (names.size() == 1 ? " was" : " were") +
            " tested only once, at the end, so there is no curve to draw" +
            (has_forgetting(results) ? "" : " and nothing to say about forgetting"));
  if (more_tests) {
    html.text("; ");
    html.element("code", "--every 1");
    html.text(" tests after every batch");
  }
  html.text(".");
}

}  // namespace

bool has_curves(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(), was_tested);
}

void add_curves(Html& html, const Results& results) {
  std::vector<Setting> later;
  std::string data;
  for (const Setting& setting : settings_of(results, drawable)) {
    const std::vector<const Row*> rows = models_of(results, setting);
    if (!is_split(setting.schedule) || tasks_of(rows) < 2) continue;
    if (setting.data == data) {
      later.push_back(setting);
      continue;
    }
    data = setting.data;
    add_tasks(html, setting, rows);
  }
  if (!later.empty()) {
    const Inside details(html, "details");
    html.element("summary", "Task-wise accuracies of " + std::to_string(later.size()) +
                                (later.size() == 1 ? " more schedule" : " more schedules"));
    for (const Setting& setting : later) add_tasks(html, setting, models_of(results, setting));
  }
  if (std::any_of(results.rows.begin(), results.rows.end(), drawable)) add_overall(html, results);
  add_tested_once(html, results);
}

}  // namespace jackdaw::replay::report
