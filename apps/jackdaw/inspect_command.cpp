// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw inspect: what a state folder holds, without changing it.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "jackdaw/commands.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/jackdaw.hpp"
#include "jackdaw/state_argument.hpp"

namespace jackdaw::app {
namespace {

struct InspectOptions {
  std::string folder;
  bool json = false;
};

void print_json(const Learner& learner) {
  const EnsembleSettings& s = learner.settings().ensemble;
  const LearnerStatistics statistics = learner.statistics();
  nlohmann::json out{{"profile", name_of(s.profile)},
                     {"classifiers", s.classifiers},
                     {"nearest", s.nearest},
                     {"dimensions", s.dimensions},
                     {"max_classes", s.max_classes},
                     {"store", name_of(s.store)},
                     {"encoder", learner.settings().encoder},
                     {"examples", statistics.examples},
                     {"last_sequence", statistics.last_sequence},
                     {"can_be_undone", learner.recent().size()},
                     {"memory_bytes", learner.ensemble().plan().total_bytes},
                     {"classes", nlohmann::json::array()}};
  for (const ClassInfo& info : learner.classes()) {
    out["classes"].push_back({{"label", std::string(info.label.text())},
                              {"slot", info.slot},
                              {"examples", info.examples},
                              {"clipped", info.clipped}});
  }
  std::printf("%s\n", out.dump(2).c_str());
}

void print_text(const Learner& learner) {
  const EnsembleSettings& s = learner.settings().ensemble;
  const LearnerStatistics statistics = learner.statistics();
  const std::vector<ClassInfo> classes = learner.classes();
  const std::string& encoder = learner.settings().encoder;
  std::printf("profile    %s, %u of %u classifiers answer, %u dimensions, %s store\n",
              name_of(s.profile), s.nearest, s.classifiers, s.dimensions, name_of(s.store));
  std::printf("encoder    %s\n", encoder.empty() ? "(not named)" : encoder.c_str());
  std::printf("classes    %zu of at most %u\n", classes.size(), s.max_classes);
  std::printf("examples   %llu, the last %zu can be undone\n",
              static_cast<unsigned long long>(statistics.examples), learner.recent().size());
  std::printf("changes    %llu\n", static_cast<unsigned long long>(statistics.last_sequence));
  std::printf("memory     %s\n", human_bytes(learner.ensemble().plan().total_bytes).c_str());
  if (classes.empty()) return;
  std::printf("\n");
  std::vector<std::vector<std::string>> rows{{"class", "examples", "slot", "clipped"}};
  for (const ClassInfo& info : classes) {
    rows.push_back({std::string(info.label.text()), std::to_string(info.examples),
                    std::to_string(info.slot), std::to_string(info.clipped)});
  }
  print_table(rows);
}

}  // namespace

void add_inspect_command(CLI::App& program) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      program.add_subcommand("inspect", "Show what a state folder holds; changes nothing");
  command->add_option("state", options->folder, "The folder")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->footer("Example: jackdaw inspect /var/lib/jackdaw --json");
  command->callback([options] {
    const Learner learner = load_copy(learner_folder(options->folder));
    options->json ? print_json(learner) : print_text(learner);
  });
}

}  // namespace jackdaw::app
