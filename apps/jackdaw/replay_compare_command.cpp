// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay compare`: two results side by side.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "jackdaw/format.hpp"
#include "jackdaw/replay_commands.hpp"
#include "replay/compare.hpp"
#include "replay/results_json.hpp"

namespace jackdaw::app {
namespace {

struct CompareOptions {
  std::string a, b;
  bool json = false;
};

std::string number(double value, const char* format) {
  char text[40];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

void print_text(const replay::Comparison& comparison) {
  std::vector<std::vector<std::string>> rows{
      {"data, schedule, head", "A %", "B %", "B - A", "standard error", "forgetting B - A", ""}};
  for (const replay::ComparedRow& r : comparison.rows) {
    const std::string encoders =
        r.encoder_a == r.encoder_b ? "" : ", " + r.encoder_a + " / " + r.encoder_b;
    rows.push_back({r.data + " " + r.schedule + " " + r.what + encoders,
                    number(r.accuracy_a.mean, "%.2f"), number(r.accuracy_b.mean, "%.2f"),
                    number(r.accuracy.mean, "%+.2f"),
                    r.accuracy.standard_error ? number(*r.accuracy.standard_error, "%.2f") : "-",
                    r.forgetting ? number(r.forgetting->mean, "%+.2f") : "-",
                    r.unpaired.empty() ? "paired" : "unpaired: " + r.unpaired});
  }
  print_table(rows);
  const auto& all = comparison.rows;
  if (std::any_of(all.begin(), all.end(), [](const auto& row) { return !row.forgetting; })) {
    std::printf("forgetting -: tested once, or not equally often in A and B\n");
  }
  for (const std::string& name : comparison.only_a) std::printf("only in A: %s\n", name.c_str());
  for (const std::string& name : comparison.only_b) std::printf("only in B: %s\n", name.c_str());
}

void print_json(const replay::Comparison& comparison) {
  nlohmann::ordered_json out{{"rows", nlohmann::json::array()},
                             {"only_a", comparison.only_a},
                             {"only_b", comparison.only_b}};
  for (const replay::ComparedRow& r : comparison.rows) {
    const auto difference = [](const replay::Difference& d) {
      return nlohmann::ordered_json{
          {"mean", d.mean},
          {"standard_error", d.standard_error ? nlohmann::ordered_json(*d.standard_error)
                                              : nlohmann::ordered_json()}};
    };
    out["rows"].push_back({{"data", r.data},
                           {"schedule", r.schedule},
                           {"what", r.what},
                           {"encoder_a", r.encoder_a},
                           {"encoder_b", r.encoder_b},
                           {"accuracy_a", r.accuracy_a.mean},
                           {"accuracy_b", r.accuracy_b.mean},
                           {"accuracy_difference", difference(r.accuracy)},
                           {"forgetting_difference",
                            r.forgetting ? difference(*r.forgetting) : nlohmann::ordered_json()},
                           {"paired", r.accuracy.paired},
                           {"unpaired_because", r.unpaired}});
  }
  std::printf("%s\n", out.dump(2).c_str());
}

}  // namespace

void add_replay_compare_command(CLI::App& replay_command) {
  auto o = std::make_shared<CompareOptions>();
  CLI::App* command =
      replay_command.add_subcommand("compare", "Put two results side by side, run by run");
  command->add_option("A", o->a, "results.json of one replay")->required();
  command->add_option("B", o->b, "and of another")->required();
  command->add_flag("--json", o->json, "Print JSON");
  command->footer("Example: jackdaw replay compare before.json after.json");
  command->callback([o] {
    const replay::Comparison comparison =
        replay::compare(replay::read_results(o->a), replay::read_results(o->b));
    if (o->json) {
      print_json(comparison);
    } else {
      print_text(comparison);
    }
    if (comparison.rows.empty()) {
      throw Error(o->a + " and " + o->b + " have no row in common");
    }
  });
}

}  // namespace jackdaw::app
