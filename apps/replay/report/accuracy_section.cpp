// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>
#include <map>

#include "replay/report/bar_chart.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/pivot.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

BarChart accuracy_chart(const Results& results, const Setting& setting) {
  BarChart chart;
  chart.title = data_name(setting.data) + ", " + schedule_name(setting.schedule);
  chart.description = "Accuracy after the stream in percent, one dot a model, with one deviation.";
  chart.dots = true;
  double least = 100.0;
  for (const Row* row : main_rows(results, setting.data, setting.schedule)) {
    chart.bars.push_back({series_class(*row), short_model(*row), plus_minus(row->accuracy),
                          row->accuracy.mean, row->accuracy.std});
    least = std::min(least, row->accuracy.mean - row->accuracy.std);
  }
  for (const Published& p : results.published) {
    if (p.data != setting.data || p.schedule != setting.schedule || !p.accuracy) continue;
    chart.published.push_back({brief_model(p.model), *p.accuracy});
    least = std::min(least, *p.accuracy);
  }
  chart.least = least < 50.0 ? 0.0 : 10.0 * std::floor(least / 10.0);
  return chart;
}

std::string share_of_data(const Results& results, const Row& row) {
  const DataInfo* data = find_data(results, row.data);
  if (data == nullptr) return "–";
  std::string text = whole(data->train);
  if (data->full_train != 0 && data->train < data->full_train) {
    text +=
        " (" +
        fixed(100.0 * static_cast<double>(data->train) / static_cast<double>(data->full_train), 0) +
        " %)";
  }
  return text;
}

std::string stream_of(const Results& results, const Row& row) {
  if (row.stream >= results.streams.size()) return "–";
  const StreamInfo& s = results.streams[row.stream];
  std::string text = whole(s.batches);
  if (s.shortened) text += " of " + whole(s.full_batches);
  return text + " × " + whole(s.batch_size);
}

std::string calibration_of(const Results& results, const Row& row) {
  const std::string first = row.encoder.substr(0, row.encoder.find(','));
  const EncoderInfo* encoder = find_encoder_info(results, first);
  if (encoder == nullptr) return "–";
  return encoder->calibration.empty() ? "none: raw output" : encoder->calibration;
}

// Encoders that take turns have long lists of names.
std::string encoder_names(const std::string& encoder) {
  const auto others = std::count(encoder.begin(), encoder.end(), ',');
  if (others < 2) return encoder;
  return encoder.substr(0, encoder.find(',')) + " and " + std::to_string(others) +
         " more, in turns";
}

struct Condition {
  const Row* first;
  std::string schedules;  // of all rows that were made alike
};

std::vector<Condition> conditions_of(const Results& results) {
  std::vector<Condition> out;
  std::map<std::string, std::size_t> places;
  for (const Setting& setting : settings_of(results, is_main)) {
    for (const Row* row : main_rows(results, setting.data, setting.schedule)) {
      const std::string key = row->data + "\n" + model_name(*row) + "\n" + row->encoder + "\n" +
                              std::to_string(row->memory_bytes) + "\n" + stream_of(results, *row);
      const auto [place, is_new] = places.emplace(key, out.size());
      if (is_new) out.push_back({row, ""});
      std::string& schedules = out[place->second].schedules;
      schedules += (schedules.empty() ? "" : ", ") + schedule_name(setting.schedule);
    }
  }
  return out;
}

}  // namespace

bool has_rows(const Results& results) { return !results.rows.empty(); }
bool has_main_rows(const Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(), is_main);
}

void add_accuracy(Html& html, const Results& results) {
  if (!has_main_rows(results)) {
    html.element("p", {{"class", "note"}}, "These results have no rows of the main table.");
    return;
  }
  const std::string runs =
      results.runs > 1 ? "mean ± one deviation over " + std::to_string(results.runs) + " runs"
                       : "one run";
  add_pivot(html, pivot_of(results, is_main),
            "Accuracy in percent after the stream, the mean over all classes; " + runs +
                ". The best of each column is bold.",
            results.published);
  Figure figure(
      html, "",
      "The same numbers to look at, in percent; axes do not all begin at 0. Dots are means, "
      "lines one deviation (often shorter than a dot is wide); diamonds are published "
      "by others.");
  figure.begin_panels();
  for (const Setting& setting : settings_of(results, is_main)) {
    draw(html, accuracy_chart(results, setting));
  }
}

void add_conditions(Html& html, const Results& results) {
  begin_table(html,
              "Memory is every byte the head uses; knn may use as "
              "many as the ensemble's store. Batches: their number × pictures in each.",
              "dense");
  head_row(html, {"data", "schedule", "model", "encoder", "calibrated with", ">dimensions",
                  ">memory", ">training pictures", ">batches"});
  html.open("tbody");
  std::string before;
  for (const Condition& condition : conditions_of(results)) {
    const Row& row = *condition.first;
    const Inside line(html, "tr", {{"class", before == row.data ? "" : "first"}});
    before = row.data;
    html.element("th", {{"scope", "row"}}, data_name(row.data));
    cell(html, condition.schedules, "wrap");
    cell(html, model_name(row));
    html.element("td", {{"title", row.encoder}}, encoder_names(row.encoder));
    cell(html, calibration_of(results, row));
    cell(html, whole(row.settings.dimensions), "n");
    cell(html, bytes(row.memory_bytes), "n");
    cell(html, share_of_data(results, row), "n");
    cell(html, stream_of(results, row), "n");
  }
  html.close();
  end_table(html);
}

}  // namespace jackdaw::replay::report
