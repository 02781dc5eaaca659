// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// All that is needed to repeat it: the command, the machine, the data, the encoders, the rules.
#include <algorithm>
#include <map>

#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

void fact(Html& html, const char* name, const std::string& value) {
  if (value.empty()) return;
  html.element("dt", name);
  html.element("dd", value);
}

void add_calls(Html& html, const Results& results) {
  begin_table(html, "The calls whose results were put together.");
  head_row(html, {"command", "started", ">took", "processor", "jackdaw"});
  html.open("tbody");
  for (const Call& call : results.calls) {
    const Inside line(html, "tr");
    {
      const Inside value(html, "td", {{"class", "wrap"}});
      html.element("code", call.command);
    }
    cell(html, call.started);
    cell(html, call.total_seconds > 0.0 ? duration(call.total_seconds) : "–", "n");
    cell(html, call.processor);
    cell(html, call.jackdaw);
  }
  html.close();
  end_table(html);
}

void add_machine(Html& html, const Results& results) {
  if (!results.calls.empty()) add_calls(html, results);
  const Inside list(html, "dl");
  if (results.calls.empty()) {
    html.element("dt", "command");
    {
      const Inside value(html, "dd");
      html.element("code", results.command);
    }
    fact(html, "started", results.started);
    fact(html, "took", duration(results.total_seconds));
  }
  fact(html, "random seed", std::to_string(results.seed));
  fact(html, "runs", std::to_string(results.runs));
  fact(html, "threads", std::to_string(results.threads));
  fact(html, "processor",
       results.machine.processor +
           (results.machine.cores != 0 ? ", " + whole(results.machine.cores) + " cores" : ""));
  fact(html, "memory",
       results.machine.memory_bytes != 0 ? bytes(results.machine.memory_bytes) : "");
  fact(html, "peak memory", results.peak_memory_bytes != 0 ? bytes(results.peak_memory_bytes) : "");
  fact(html, "system", results.machine.system);
  fact(html, "ensemble on", results.machine.backend);
  fact(html, "jackdaw", results.versions.jackdaw);
  fact(html, "OpenCV", results.versions.opencv);
  fact(html, "compiler", results.versions.compiler);
}

void add_data(Html& html, const Results& results) {
  if (results.data.empty()) return;
  begin_table(html, "Data.");
  head_row(html, {"name", ">classes", ">training pictures", ">of the whole set", ">test pictures",
                  ">left out", "folder"});
  html.open("tbody");
  for (const DataInfo& data : results.data) {
    const Inside line(html, "tr");
    html.element("th", {{"scope", "row"}}, data_name(data.name));
    cell(html, whole(data.classes.size()), "n");
    cell(html, whole(data.train), "n");
    cell(html, data.full_train == 0 ? "–" : whole(data.full_train), "n");
    cell(html, whole(data.test), "n");
    cell(html, whole(data.skipped), "n");
    cell(html, data.path, "wrap");
  }
  html.close();
  end_table(html);
}

void add_encoders(Html& html, const Results& results) {
  if (results.encoders.empty()) return;
  begin_table(html,
              "Encoders. Pictures a second: of those encoded now; the others came from the cache.");
  head_row(html, {"name", "what", "calibrated with", ">dimensions", "backend", ">encoded now",
                  ">pictures a second", "hash"});
  html.open("tbody");
  for (const EncoderInfo& encoder : results.encoders) {
    const Inside line(html, "tr");
    html.element("th", {{"scope", "row"}}, encoder.name);
    cell(html, encoder.description, "wrap");
    cell(html, encoder.calibration.empty() ? "–" : encoder.calibration, "wrap");
    cell(html, whole(encoder.output_size), "n");
    cell(html, encoder.backend.empty() ? "–" : encoder.backend, "wrap");
    cell(html, whole(encoder.encoded), "n");
    cell(html, encoder.pictures_per_second > 0.0 ? fixed(encoder.pictures_per_second, 1) : "–",
         "n");
    html.element("td", {{"title", encoder.hash}}, encoder.hash.substr(0, 12));
  }
  html.close();
  end_table(html);
}

std::string rule_of(const Row& row) {
  const RowSettings& s = row.settings;
  if (row.head == "ensemble") {
    std::string text = "n " + whole(s.ensemble.classifiers) + ", k " + whole(s.ensemble.nearest) +
                       ", store " + name_of(s.ensemble.store);
    if (row.profile == "seed") {
      text += ", learning rate " +
              fixed(static_cast<double>(s.ensemble.seed_rule.learning_rate), 4) + ", tau " +
              fixed(static_cast<double>(s.ensemble.seed_rule.tau), 0) +
              (s.ensemble.seed_rule.fan_in_of_paper ? ", initial weights of the paper's text" : "");
    } else {
      const DefaultRule& r = s.ensemble.default_rule;
      const auto number = [](float value) { return fixed(static_cast<double>(value), 2); };
      text += ", levels " + number(r.levels) + ", lambda " + number(r.lambda) + ", offset " +
              number(r.offset_examples) + ", prior " + number(r.prior_examples) + " × " +
              number(r.prior_variance) + ", shrinkage " + number(r.shrink_examples) + ", pool " +
              number(r.pool_examples) + ", temperature " + number(r.temperature);
    }
    return text;
  }
  if (row.head == "knn") return "buffer " + bytes(s.knn_buffer_bytes);
  if (row.head == "slda") return "shrinkage " + fixed(static_cast<double>(s.slda_shrinkage), 4);
  if (row.head == "vanilla" || row.head == "tanh") {
    return "initial scale " + fixed(static_cast<double>(s.linear_initial_scale), 2) +
           (row.head == "tanh" ? ", tau " + fixed(static_cast<double>(s.linear_tau), 0) : "");
  }
  return "–";
}

struct Rule {
  const Row* first;
  std::vector<std::string> data;  // of all rows that have it
};

std::vector<Rule> rules_of(const Results& results) {
  std::vector<Rule> out;
  std::map<std::string, std::size_t> places;
  for (const Row& row : results.rows) {
    const auto [place, is_new] = places.emplace(model_name(row) + "\n" + rule_of(row), out.size());
    if (is_new) out.push_back({&row, {}});
    std::vector<std::string>& data = out[place->second].data;
    const std::string name = data_name(row.data);
    if (std::find(data.begin(), data.end(), name) == data.end()) data.push_back(name);
  }
  return out;
}

void add_rules(Html& html, const Results& results) {
  if (results.rows.empty()) return;
  begin_table(html, "Settings of the models.");
  head_row(html, {"model", "data", "settings"});
  html.open("tbody");
  for (const Rule& rule : rules_of(results)) {
    const Inside line(html, "tr");
    {
      const Inside header(html, "th", {{"scope", "row"}});
      html.element("span", {{"class", "swatch " + series_class(*rule.first)}}, "");
      html.text(model_name(*rule.first));
    }
    std::string data;
    for (const std::string& name : rule.data) data += (data.empty() ? "" : ", ") + name;
    cell(html, data);
    cell(html, rule_of(*rule.first), "wrap");
  }
  html.close();
  end_table(html);
}

}  // namespace

void add_settings(Html& html, const Results& results) {
  add_machine(html, results);
  if (!results.notes.empty()) {
    html.element("h3", "Notes");
    const Inside list(html, "ul");
    for (const std::string& note : results.notes) html.element("li", note);
  }
  add_data(html, results);
  add_encoders(html, results);
  add_rules(html, results);
}

}  // namespace jackdaw::replay::report
