// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay report`: the page of results that were kept.
#include <cstdio>
#include <memory>

#include "jackdaw/replay_commands.hpp"
#include "replay/report/page.hpp"
#include "replay/results_json.hpp"

namespace jackdaw::app {
namespace {

struct ReportOptions {
  std::string results;
  std::string out = "report.html";
};

}  // namespace

void add_replay_report_command(CLI::App& replay_command) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* command =
      replay_command.add_subcommand("report", "Make a page to look at from results that were kept");
  command->add_option("RESULTS", o->results, "results.json of a replay")->required();
  command->add_option("--out", o->out, "Where to write it")->capture_default_str();
  command->footer("Example: jackdaw replay report results.json --out report.html");
  command->callback([o] {
    check_out(o->out);
    replay::report::write_page(replay::read_results(o->results), o->out);
    std::printf("report: %s\n", o->out.c_str());
  });
}

}  // namespace jackdaw::app
