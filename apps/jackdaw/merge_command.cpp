// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// jackdaw merge: what two devices learned, in one state.
#include <cstdio>
#include <memory>
#include <optional>

#include "jackdaw/commands.hpp"
#include "jackdaw/jackdaw.hpp"
#include "jackdaw/state_argument.hpp"

namespace jackdaw::app {
namespace {

struct MergeOptions {
  std::string first;
  std::string second;
  std::string ancestor;
  std::string out;
};

}  // namespace

void add_merge_command(CLI::App& program) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = program.add_subcommand(
      "merge", "Add up what two devices learned; both must have started alike");
  command->add_option("first", options->first, "A state folder")->required();
  command->add_option("second", options->second, "Another one; classes are matched by name")
      ->required();
  command->add_option("--ancestor", options->ancestor,
                      "The state folder that both were copied from, to be counted once");
  command->add_option("--out", options->out, "A new folder for the result")->required();
  command->footer("Example: jackdaw merge kitchen workshop --out both");
  command->callback([options] {
    Learner merged = load_copy(learner_folder(options->first));
    const Learner second = load_copy(learner_folder(options->second));
    std::optional<Learner> ancestor;
    if (!options->ancestor.empty()) ancestor = load_copy(learner_folder(options->ancestor));
    merged.merge(second, ancestor ? &*ancestor : nullptr);
    merged.save_as(options->out);
    std::printf("%s: %zu classes, %llu examples\n", options->out.c_str(), merged.classes().size(),
                static_cast<unsigned long long>(merged.statistics().examples));
  });
}

}  // namespace jackdaw::app
