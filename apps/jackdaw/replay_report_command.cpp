// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay report`: the page of results that were kept.
#include <cstdio>
#include <memory>

#include "jackdaw/replay_commands.hpp"
#include "replay/merge_results.hpp"
#include "replay/report/page.hpp"
#include "replay/results_json.hpp"

namespace jackdaw::app {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::string out = "report.html", merged;
};

}  // namespace

void add_replay_report_command(CLI::App& replay_command) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* command =
      replay_command.add_subcommand("report", "Make a page to look at from results that were kept");
  command
      ->add_option("RESULTS", o->results,
                   "results.json of a replay; of several, the rows are put together")
      ->required();
  command->add_option("--out", o->out, "Where to write it")->capture_default_str();
  command->add_option("--merged", o->merged, "Also write the results that were put together");
  command->footer(
      "Example: jackdaw replay report mnist.json cifar10.json --out report.html --merged all.json");
  command->callback([o] {
    check_out(o->out);
    check_out(o->merged, "--merged");
    check_apart(o->out, o->merged);
    for (const std::string& file : o->results) check_apart(file, o->out);
    std::vector<replay::Results> parts;
    for (const std::string& file : o->results) parts.push_back(replay::read_results(file));
    const replay::Results results = replay::merge_results(std::move(parts));
    if (!o->merged.empty()) replay::write_results(results, o->merged);
    replay::report::write_page(results, o->out);
    std::printf("report: %s\n", o->out.c_str());
  });
}

}  // namespace jackdaw::app
