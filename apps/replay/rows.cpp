// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jackdaw::replay {
namespace {

template <class Value>
std::vector<double> over_runs(const std::vector<RunResult>& runs, const Value& value) {
  std::vector<double> values;
  for (const RunResult& r : runs) values.push_back(value(r));
  return values;
}

// Curves are drawn, not compared: a hundredth of a point is enough, and keeps the file small.
double rounded(double value) { return std::round(value * 100.0) / 100.0; }

// value(run, evaluation): percent
template <class Value>
Band band(std::size_t runs, std::size_t evaluations, const Value& value) {
  Band out;
  for (std::size_t e = 0; e < evaluations; ++e) {
    std::vector<double> values;
    for (std::size_t r = 0; r < runs; ++r) values.push_back(value(r, e));
    const Spread spread = spread_of(std::move(values));
    out.mean.push_back(rounded(spread.mean));
    out.std.push_back(rounded(spread.std));
  }
  return out;
}

double mean_over(const std::vector<double>& accuracies, const std::vector<std::uint32_t>& classes) {
  double sum = 0.0;
  for (const std::uint32_t c : classes) sum += accuracies[c];
  return sum / static_cast<double>(classes.size());
}

Curves curves_of(const std::vector<RunResult>& runs, std::size_t classes,
                 const std::vector<std::vector<std::vector<std::uint32_t>>>& tasks) {
  Curves out;
  // Streams that count pictures can differ in length from run to run.
  std::size_t evaluations = std::numeric_limits<std::size_t>::max();
  std::size_t task_count = std::numeric_limits<std::size_t>::max();
  for (const RunResult& r : runs) evaluations = std::min(evaluations, r.batches.size());
  for (const auto& t : tasks) task_count = std::min(task_count, t.size());
  out.batches.assign(runs[0].batches.begin(),
                     runs[0].batches.begin() + static_cast<std::ptrdiff_t>(evaluations));
  out.overall = band(runs.size(), evaluations,
                     [&](std::size_t r, std::size_t e) { return mean_of(runs[r].accuracies[e]); });
  for (std::size_t t = 0; t < task_count; ++t) {
    out.tasks.push_back(band(runs.size(), evaluations, [&](std::size_t r, std::size_t e) {
      return mean_over(runs[r].accuracies[e], tasks[r][t]);
    }));
  }
  for (std::size_t c = 0; c < classes; ++c) {
    out.classes.push_back(band(runs.size(), evaluations, [&](std::size_t r, std::size_t e) {
                            return runs[r].accuracies[e][c];
                          }).mean);
  }
  return out;
}

std::vector<ClassResult> classes_of(const std::vector<std::string>& names,
                                    const std::vector<RunResult>& runs) {
  std::vector<std::vector<double>> forgotten;  // [run][class]
  for (const RunResult& r : runs) forgotten.push_back(class_forgetting(r.accuracies));
  std::vector<ClassResult> out;
  for (std::size_t c = 0; c < names.size(); ++c) {
    ClassResult one;
    one.name = names[c];
    one.accuracy =
        spread_of(over_runs(runs, [&](const RunResult& r) { return r.accuracies.back()[c]; }));
    one.taught = mean_of(over_runs(runs, [&](const RunResult& r) { return double(r.taught[c]); }));
    for (const auto& f : forgotten) one.forgetting += f[c] / static_cast<double>(runs.size());
    out.push_back(std::move(one));
  }
  return out;
}

std::optional<Unknown> unknown_of(const std::vector<RunResult>& runs) {
  std::vector<double> auroc, taught, untaught, batch;
  for (const RunResult& r : runs) {
    if (!r.unknown) continue;
    auroc.push_back(r.unknown->auroc);
    taught.push_back(r.unknown->taught);
    untaught.push_back(r.unknown->untaught);
    batch.push_back(r.unknown->batch);
  }
  if (auroc.empty()) return std::nullopt;
  return Unknown{mean_of(auroc), mean_of(taught), mean_of(untaught), mean_of(batch)};
}

}  // namespace

std::string what_of(const Row& row) {
  std::string text = row.head;
  if (!row.profile.empty()) text += " " + row.profile;
  if (!row.label.empty()) text += " " + row.label;
  return text;
}

Spread spread_of(std::vector<double> runs) {
  Spread out;
  out.mean = mean_of(runs);
  double squares = 0.0;
  for (const double value : runs) squares += (value - out.mean) * (value - out.mean);
  if (runs.size() > 1) out.std = std::sqrt(squares / static_cast<double>(runs.size() - 1));
  out.runs = std::move(runs);
  return out;
}

void fill_row(Row& row, const std::vector<std::string>& classes, const std::vector<RunResult>& runs,
              const std::vector<std::vector<std::vector<std::uint32_t>>>& tasks) {
  const auto mean = [&](auto value) { return mean_of(over_runs(runs, value)); };
  row.accuracy =
      spread_of(over_runs(runs, [](const RunResult& r) { return mean_of(r.accuracies.back()); }));
  row.forgetting =
      spread_of(over_runs(runs, [](const RunResult& r) { return forgetting(r.accuracies); }));
  row.unknown = unknown_of(runs);
  row.calibration_error = mean([](const RunResult& r) { return r.calibration_error; });
  row.memory_bytes = runs[0].memory_bytes;
  row.seconds.teach = mean([](const RunResult& r) { return r.teach_seconds; });
  row.seconds.predict = mean([](const RunResult& r) { return r.predict_seconds; });
  row.seconds.lessons = mean([](const RunResult& r) { return double(r.lessons); });
  row.seconds.answers = mean([](const RunResult& r) { return double(r.answers); });
  row.curves = curves_of(runs, classes.size(), tasks);
  row.classes = classes_of(classes, runs);
}

}  // namespace jackdaw::replay
