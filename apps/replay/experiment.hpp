// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Some heads on the same streams, many runs each, in as many threads as wanted. The same seed gives
// the same rows, bit for bit, whatever the number of threads (but for the seconds).
//
//   Experiment experiment;
//   experiment.sets = {&set};
//   experiment.heads = {{"ensemble", settings, {}, ""}, {"ncm", settings, {}, ""}};
//   run_experiment(experiment, results);      // appends a stream and a row for each head

#include <functional>
#include <vector>

#include "replay/head_choice.hpp"
#include "replay/schedule.hpp"

namespace jackdaw::replay {

struct EmbeddingSet;

struct Experiment {
  std::vector<const EmbeddingSet*> sets;  // run r uses sets[r % size]: the same pictures, encoded
                                          // by encoders of one kind
  const Schedule* schedule = nullptr;
  std::vector<HeadChoice> heads;
  std::uint32_t runs = 20;
  std::uint64_t seed = 0;
  std::uint32_t batches = 0;     // 0: as many as the schedule and one pass over the data allow
  std::uint32_t batch_size = 0;  // 0: the schedule's, or 60 for mnist, or 48
  std::uint32_t evaluate_every = 10;
  std::uint32_t threads = 0;  // 0: one a core
  std::string encoder;        // what rows call it
  std::string group;
  std::function<void()> after_each_run;  // for a progress bar; called by one thread at a time
};

// How many runs with their heads there will be.
std::size_t jobs_of(const Experiment& experiment);

// Throws SettingsError or Error; then, results are unchanged.
void run_experiment(const Experiment& experiment, Results& results);

// Throws what run_experiment would throw because of the schedule, before anything is run.
void check_schedule(const Experiment& experiment);

// The sizes of a stream on this data: see Experiment::batches and batch_size.
StreamInfo plan_stream(const Experiment& experiment);

// Of run `run`, from the experiment's seed alone.
std::uint64_t stream_seed(std::uint64_t seed, std::uint32_t run);
std::uint64_t head_seed(std::uint64_t seed, std::uint32_t run);

}  // namespace jackdaw::replay
