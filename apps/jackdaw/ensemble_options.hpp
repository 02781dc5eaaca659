// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options that say how large an ensemble is, the same for every command.

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "jackdaw/settings.hpp"

namespace jackdaw::app {

inline void add_ensemble_options(CLI::App& command, EnsembleSettings& s) {
  const std::map<std::string, Profile> profiles{{"default", Profile::kDefault},
                                                {"seed", Profile::kSeed}};
  const std::map<std::string, StoreType> stores{
      {"int16", StoreType::kInt16}, {"half", StoreType::kHalf}, {"int32", StoreType::kInt32}};
  command.add_option("--classes", s.max_classes, "Most classes")->capture_default_str();
  command.add_option("--dim", s.dimensions, "Size of an embedding")->capture_default_str();
  command.add_option("--classifiers", s.classifiers, "How many classifiers there are (n)")
      ->capture_default_str();
  command.add_option("--nearest", s.nearest, "How many of them answer (k)")->capture_default_str();
  command.add_option("--profile", s.profile, "default, or seed: the paper's rule")
      ->transform(CLI::CheckedTransformer(profiles, CLI::ignore_case))
      ->option_text("default|seed");
  command.add_option("--store", s.store, "How one number of a row is kept")
      ->transform(CLI::CheckedTransformer(stores, CLI::ignore_case))
      ->option_text("int16|half|int32");
  command.add_option("--contexts", s.contexts, "Threads that answer at the same time")
      ->capture_default_str();
  command.add_option("--max-batch", s.max_batch, "Most examples in one call")
      ->capture_default_str();
  command.add_option("--undo", s.undo_depth, "How many examples can be undone")
      ->capture_default_str();
}

}  // namespace jackdaw::app
