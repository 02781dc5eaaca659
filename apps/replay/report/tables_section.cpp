// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The tables besides the main one: few examples, ablations, encoders, and every measure of every
// row.
#include <algorithm>

#include "replay/report/numbers.hpp"
#include "replay/report/pivot.hpp"
#include "replay/report/sections.hpp"
#include "replay/test_intervals.hpp"

namespace jackdaw::replay::report {
namespace {

bool is_few(const Row& row) { return row.group == "few"; }
bool is_second(const Row& row) { return row.group == "second"; }
bool is_other(const Row& row) { return !is_main(row); }

bool any(const Results& results, bool (*wanted)(const Row&)) {
  return std::any_of(results.rows.begin(), results.rows.end(), wanted);
}

std::vector<const Row*> rows_of(const Results& results, const std::string& group) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (row.group == group) rows.push_back(&row);
  }
  return rows;
}

void model_cell(Html& html, const Row& row) {
  const Inside header(html, "th", {{"scope", "row"}});
  html.element("span", {{"class", "swatch " + series_class(row)}}, "");
  html.text(model_name(row));
}

std::string setting_name(const Row& row) {
  return data_name(row.data) + ", " + schedule_name(row.schedule);
}

std::string forgetting(const Row& row) {
  return tested_once(row) ? "–" : plus_minus(row.forgetting);
}

// Each with the row it departs from.
void add_ablations(Html& html, const Results& results) {
  std::vector<const Row*> rows = rows_of(results, "ablation");
  if (rows.empty()) return;
  std::vector<const Row*> shown;
  for (const Row* row : rows) {
    for (const Row* base : main_rows(results, row->data, row->schedule)) {
      const bool same = base->head == row->head && base->profile == row->profile &&
                        base->encoder == row->encoder && base->label.empty();
      if (same && std::find(shown.begin(), shown.end(), base) == shown.end()) shown.push_back(base);
    }
    shown.push_back(row);
  }
  html.element("h3", group_name("ablation"));
  begin_table(html,
              "Fewer classifiers, more of them answering, other stores; all else as it was. "
              "Forgetting is over tests every " +
                  test_intervals(results, rows) +
                  " batches; a dash: the model was tested more or less often than that.");
  head_row(html, {"model", "data", ">n", ">k", "store", ">accuracy %", ">forgetting", ">memory"});
  html.open("tbody");
  for (const Row* row : shown) {
    const Inside line(html, "tr", {{"class", row->label.empty() ? "first" : ""}});
    model_cell(html, *row);
    cell(html, setting_name(*row));
    cell(html, whole(row->settings.ensemble.classifiers), "n");
    cell(html, whole(row->settings.ensemble.nearest), "n");
    cell(html, name_of(row->settings.ensemble.store));
    cell(html, plus_minus(row->accuracy), "n");
    const bool alike = test_interval(results, *row) == test_interval(results, *rows[0]);
    cell(html, alike ? forgetting(*row) : "–", "n");
    cell(html, bytes(row->memory_bytes), "n");
  }
  html.close();
  end_table(html);
}

void add_encoders(Html& html, const Results& results) {
  const std::vector<const Row*> rows = rows_of(results, "encoders");
  if (rows.empty()) return;
  html.element("h3", group_name("encoders"));
  begin_table(html, "The same stream through every encoder that is there.");
  head_row(html, {"encoder", "profile", "data", ">dimensions", ">accuracy %", ">forgetting",
                  ">memory", ">pictures a second"});
  html.open("tbody");
  for (const Row* row : rows) {
    const EncoderInfo* encoder = find_encoder_info(results, row->encoder);
    const Inside line(html, "tr");
    html.element("th", {{"scope", "row"}}, row->encoder);
    cell(html, row->profile);
    cell(html, setting_name(*row));
    cell(html, whole(row->settings.dimensions), "n");
    cell(html, plus_minus(row->accuracy), "n");
    cell(html, forgetting(*row), "n");
    cell(html, bytes(row->memory_bytes), "n");
    const bool timed = encoder != nullptr && encoder->pictures_per_second > 0.0;
    cell(html, timed ? fixed(encoder->pictures_per_second, 1) : "–", "n");
  }
  html.close();
  end_table(html);
}

// Groups that this version does not know.
void add_unknown_groups(Html& html, const Results& results) {
  std::vector<std::string> groups;
  for (const Row& row : results.rows) {
    const std::string& g = row.group;
    if (is_main(row) || g == "few" || g == "second" || g == "ablation" || g == "encoders") continue;
    if (std::find(groups.begin(), groups.end(), g) == groups.end()) groups.push_back(g);
  }
  for (const std::string& group : groups) {
    html.element("h3", group);
    begin_table(html, "Rows of the group " + group + ".");
    head_row(html, {"model", "data", "encoder", ">accuracy %", ">forgetting", ">memory"});
    html.open("tbody");
    for (const Row* row : rows_of(results, group)) {
      const Inside line(html, "tr");
      model_cell(html, *row);
      cell(html, setting_name(*row));
      cell(html, row->encoder);
      cell(html, plus_minus(row->accuracy), "n");
      cell(html, forgetting(*row), "n");
      cell(html, bytes(row->memory_bytes), "n");
    }
    html.close();
    end_table(html);
  }
}

// What can be compared stands together: the main table first, then by group, data and schedule as
// they were run, then model.
std::vector<const Row*> in_order(const Results& results) {
  std::vector<const Row*> rows;
  std::vector<std::string> seen;
  const auto key = [](const Row& row) {
    return (is_main(row) ? "" : row.group) + "\n" + row.data + "\n" + row.schedule;
  };
  for (const Row& row : results.rows) {
    rows.push_back(&row);
    if (std::find(seen.begin(), seen.end(), key(row)) == seen.end()) seen.push_back(key(row));
  }
  const auto place = [&](const Row* row) {
    return std::find(seen.begin(), seen.end(), key(*row)) - seen.begin();
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) {
    const auto of_a = place(a), of_b = place(b);
    if (is_main(*a) != is_main(*b)) return is_main(*a);
    return of_a != of_b ? of_a < of_b : series_rank(*a) < series_rank(*b);
  });
  return rows;
}

}  // namespace

bool has_other_tables(const Results& results) { return any(results, is_other); }

void add_other_tables(Html& html, const Results& results) {
  if (any(results, is_few)) {
    html.element("h3", group_name("few"));
    add_pivot(html, pivot_of(results, is_few),
              "Accuracy in percent after 1, 5 and 20 examples of each class, and after a stream in "
              "which classes are unequal.",
              {});
  }
  if (any(results, is_second)) {
    html.element("h3", group_name("second"));
    add_pivot(html, pivot_of(results, is_second),
              "Accuracy in percent with another encoder, as BYOL stands to ReLIC in the paper.",
              {});
  }
  add_ablations(html, results);
  add_encoders(html, results);
  add_unknown_groups(html, results);
}

void add_all_measures(Html& html, const Results& results) {
  begin_table(
      html,
      "Forgetting is over tests every " + test_intervals(results, in_order(results)) +
          " batches; a dash: tested once. Unknown: AUROC of telling pictures of classes that were "
          "not taught yet from those that were, when at most half had been; 1 is perfect, 0.5 is "
          "chance. Calibration: "
          "expected error of the confidences, in points. Times are per picture, in microseconds, "
          "without the encoder; answers include what a head computes before it can answer, and "
          "whatever else the machine did meanwhile.",
      "dense");
  head_row(html, {"data", "model", "encoder", ">accuracy %", ">forgetting", ">unknown",
                  ">calibration", ">memory", ">µs a lesson", ">µs an answer"});
  html.open("tbody");
  std::string before;
  for (const Row* at : in_order(results)) {
    const Row& row = *at;
    const std::string setting = setting_name(row) + row.group;
    const Inside line(html, "tr", {{"class", setting == before ? "" : "first"}});
    before = setting;
    html.element("th", {{"scope", "row"}}, setting_name(row));
    {
      const Inside model(html, "td");
      html.element("span", {{"class", "swatch " + series_class(row)}}, "");
      html.text(short_model(row));
    }
    html.element("td", {{"class", "encoder"}, {"title", row.encoder}}, row.encoder);
    cell(html, plus_minus(row.accuracy), "n");
    cell(html, forgetting(row), "n");
    cell(html, row.unknown ? fixed(row.unknown->auroc, 3) : "–", "n");
    cell(html, fixed(row.calibration_error, 1), "n");
    cell(html, bytes(row.memory_bytes), "n");
    const Seconds& s = row.seconds;
    cell(html, microseconds(s.lessons > 0.0 ? s.teach / s.lessons : 0.0), "n");
    cell(html, microseconds(s.answers > 0.0 ? s.predict / s.answers : 0.0), "n");
  }
  html.close();
  end_table(html);
}

}  // namespace jackdaw::replay::report
