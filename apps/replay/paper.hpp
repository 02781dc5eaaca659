// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All rows of the paper that the data and the encoders at hand allow, and those that a user chooses
// by. Only a list here: what to run, in which order, and what had to be left out.

#include <set>
#include <string>
#include <vector>

#include "replay/head_choice.hpp"

namespace jackdaw::replay {

struct AvailableEncoder {
  std::string name;  // "resnet50-sscd", "resnet50-sscd@cifar100-512"
  std::uint32_t output_size = 0;
  std::string calibrated_on;  // empty: raw
};

struct PaperOptions {
  std::set<std::string> data;       // which of mnist, cifar10, cifar100 there are
  std::set<std::string> wanted;     // of those three; empty: all
  std::set<std::string> groups;     // of kPaperGroups; empty: all
  std::set<std::string> schedules;  // empty: all
  std::set<std::string> heads;      // of kPaperHeads; empty: all
  std::vector<AvailableEncoder> encoders;
  std::string cifar_encoder;  // raw; empty: the first there is of the usual ones
  std::string second_encoder = "resnet50-augnet";
  std::vector<std::string> notes;  // known before: go into the plan's
};

// main: every data set and schedule. few: few and unequal examples. ablation: n, k, store.
// second: another encoder, as BYOL stands to ReLIC. encoders: all that there are.
inline constexpr const char* kPaperGroups[] = {"main", "few", "ablation", "second", "encoders"};

// The ensemble by its profile, the others by their names.
inline constexpr const char* kPaperHeads[] = {"default", "seed", "vanilla", "tanh",
                                              "ncm",     "slda", "knn"};

struct PlannedExperiment {
  std::string group, data, schedule;
  std::vector<std::string> encoders;  // several take turns
  std::vector<HeadChoice> heads;
  // Curves and forgetting are what main and few are for; the other tables give accuracies, and are
  // tested so many times less often.
  std::uint32_t tested_less = 1;
};

struct PaperPlan {
  std::vector<PlannedExperiment> experiments;  // sorted, so that each set is loaded once
  std::vector<std::string> notes;              // what was left out and why
};

// Throws SettingsError for a schedule that no experiment of these data and groups has.
PaperPlan plan_paper(const PaperOptions& options);

// What the paper's text states, and the rivals it names.
std::vector<Published> published_figures();

}  // namespace jackdaw::replay
