// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw plan: what the learner will take, before it takes it.
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "jackdaw/commands.hpp"
#include "jackdaw/ensemble_options.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/memory_plan.hpp"

namespace jackdaw::app {
namespace {

struct PlanOptions {
  EnsembleSettings settings;
  bool json = false;
};

void print_json(const MemoryPlan& plan) {
  nlohmann::json out{{"total_bytes", plan.total_bytes}, {"sections", nlohmann::json::array()}};
  for (const PlannedSection& s : plan.sections) {
    out["sections"].push_back(
        {{"name", s.name}, {"purpose", s.purpose}, {"offset", s.offset}, {"bytes", s.bytes}});
  }
  std::printf("%s\n", out.dump(2).c_str());
}

void print_text(const EnsembleSettings& s, const MemoryPlan& plan) {
  std::printf(
      "profile %s: %u classifiers, the %u nearest answer, %u dimensions, at most %u classes, %s "
      "store\n\n",
      name_of(s.profile), s.classifiers, s.nearest, s.dimensions, s.max_classes, name_of(s.store));
  std::vector<std::vector<std::string>> rows{{"section", "purpose", "offset", "bytes", ""}};
  std::map<std::string, std::uint64_t> by_purpose;
  for (const PlannedSection& section : plan.sections) {
    rows.push_back({section.name, section.purpose, std::to_string(section.offset),
                    std::to_string(section.bytes), human_bytes(section.bytes)});
    by_purpose[section.purpose] += section.bytes;
  }
  print_table(rows);
  std::printf("\n");
  rows = {{"purpose", "bytes", ""}};
  for (const auto& [purpose, bytes] : by_purpose) {
    rows.push_back({purpose, std::to_string(bytes), human_bytes(bytes)});
  }
  rows.push_back(
      {"in all, with alignment", std::to_string(plan.total_bytes), human_bytes(plan.total_bytes)});
  print_table(rows);
}

}  // namespace

void add_plan_command(CLI::App& program) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* command =
      program.add_subcommand("plan", "Show how much memory a learner of given sizes takes");
  add_ensemble_options(*command, options->settings);
  command
      ->add_option("--budget", options->settings.budget_bytes,
                   "Fail if the plan needs more, e.g. 500MB or 2GiB")
      ->transform(CLI::AsSizeValue(true));
  command->add_flag("--json", options->json, "Print JSON: total_bytes, sections");
  command->footer("Example: jackdaw plan --classes 100 --dim 256 --budget 200MB");
  command->callback([options] {
    const MemoryPlan plan = plan_memory(options->settings);
    options->json ? print_json(plan) : print_text(options->settings, plan);
  });
}

}  // namespace jackdaw::app
