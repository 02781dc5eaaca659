// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/experiment.hpp"

#include <algorithm>
#include <thread>

#include "core/random.hpp"
#include "jackdaw/error.hpp"
#include "replay/parallel.hpp"
#include "replay/rows.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::uint64_t kMostLessons = std::uint64_t{1} << 24U;  // 64 MB a run

void check(const Experiment& experiment) {
  if (experiment.runs == 0) throw SettingsError("--runs is 0; give 1 or more");
  if (experiment.heads.empty()) throw SettingsError("give at least one head");
  const EmbeddingSet& first = *experiment.sets.at(0);
  if (first.train.labels.empty() || first.test.labels.empty()) {
    throw SettingsError(first.data + " has no pictures to " +
                        (first.train.labels.empty() ? "teach" : "test with"));
  }
  for (const EmbeddingSet* set : experiment.sets) {
    if (set->dimensions != first.dimensions || set->train.labels != first.train.labels ||
        set->test.labels != first.test.labels) {
      throw SettingsError("encoders that take turns must give embeddings of one size: " +
                          first.encoder + " gives " + std::to_string(first.dimensions) + ", " +
                          set->encoder + " " + std::to_string(set->dimensions));
    }
  }
}

// As many as one pass allows, at most the schedule's; in whole hundreds where there are any.
std::uint32_t batches_of_one_pass(std::uint64_t pictures, std::uint32_t batch_size,
                                  std::uint32_t full) {
  const std::uint64_t fit = pictures / batch_size;
  if (fit >= full) return full;  // also where it is 0
  return static_cast<std::uint32_t>(fit >= 100 ? fit / 100 * 100 : std::max<std::uint64_t>(1, fit));
}

std::vector<Stream> draw_streams(const Experiment& experiment, const StreamInfo& info,
                                 std::uint32_t runs) {
  const EmbeddingSet& set = *experiment.sets[0];
  const auto pictures = by_class(set.train.labels, set.classes.size());
  std::vector<Stream> streams;
  for (std::uint32_t r = 0; r < runs; ++r) {
    streams.push_back(experiment.schedule->draw(
        {set.classes, pictures, info.batches, info.batch_size, stream_seed(experiment.seed, r)}));
    if (streams.back().batches() == 0) throw SettingsError("the stream is empty");
  }
  return streams;
}

}  // namespace

std::uint64_t stream_seed(std::uint64_t seed, std::uint32_t run) { return mix(mix(seed, run), 1); }
std::uint64_t head_seed(std::uint64_t seed, std::uint32_t run) { return mix(mix(seed, run), 2); }

std::size_t jobs_of(const Experiment& experiment) {
  return std::size_t{experiment.runs} * experiment.heads.size();
}

StreamInfo plan_stream(const Experiment& experiment) {
  const EmbeddingSet& set = *experiment.sets.at(0);
  const Schedule& schedule = *experiment.schedule;
  StreamInfo info;
  info.data = set.data;
  info.schedule = schedule.name();
  info.grouping = schedule.grouping(set.classes);
  info.evaluate_every = std::max(1U, experiment.evaluate_every);
  const std::uint32_t usual = set.data == "mnist" ? 60 : 48;
  info.batch_size = experiment.batch_size != 0   ? experiment.batch_size
                    : schedule.batch_size() != 0 ? schedule.batch_size()
                                                 : usual;
  info.full_batches = schedule.full_batches();
  info.batches = experiment.batches;
  if (info.full_batches == 0 && experiment.batches != 0) {
    throw SettingsError("--batches does not go with the schedule " + info.schedule +
                        ", which counts pictures");
  }
  const std::uint32_t least = schedule.least_batches(set.classes.size());
  if (info.batches == 0 && !schedule.one_pass()) {
    info.batches = info.full_batches;
  } else if (info.batches == 0) {
    info.batches = std::max(
        least, batches_of_one_pass(set.train.labels.size(), info.batch_size, info.full_batches));
  }
  if (info.batches < least) {
    throw SettingsError("--batches is " + std::to_string(info.batches) + ", but " + info.schedule +
                        " on " + info.data + " needs at least " + std::to_string(least));
  }
  if (std::uint64_t{info.batches} * info.batch_size > kMostLessons) {
    throw SettingsError(std::to_string(info.batches) + " batches of " +
                        std::to_string(info.batch_size) + " are more than the " +
                        std::to_string(kMostLessons) + " pictures that a stream may have");
  }
  info.shortened = info.batches < info.full_batches;
  return info;
}

void check_schedule(const Experiment& experiment) {
  check(experiment);
  (void)draw_streams(experiment, plan_stream(experiment), 1);
}

void run_experiment(const Experiment& experiment, Results& results) {
  check(experiment);
  const EmbeddingSet& set = *experiment.sets[0];
  StreamInfo info = plan_stream(experiment);
  const std::vector<Stream> streams = draw_streams(experiment, info, experiment.runs);
  std::vector<std::vector<std::vector<std::uint32_t>>> tasks;
  for (const Stream& stream : streams) tasks.push_back(stream.tasks);
  if (info.full_batches == 0) {
    info.full_batches = info.batches = static_cast<std::uint32_t>(streams[0].batches());
  }
  info.tasks = streams[0].tasks;
  info.occupancy = occupancy_of(streams[0], set.train.labels, set.classes.size());

  // Heads of one run stay together, so that the slowest head is not left for the end.
  const std::size_t heads = experiment.heads.size();
  const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::uint32_t threads = experiment.threads != 0 ? experiment.threads : cores;
  const auto at_once =
      static_cast<std::uint32_t>(std::min<std::size_t>(threads, jobs_of(experiment)));
  std::vector<std::vector<RunResult>> found(heads, std::vector<RunResult>(experiment.runs));
  in_parallel(
      jobs_of(experiment), at_once,
      [&](std::size_t job, const std::atomic<bool>& stop) {
        const auto r = static_cast<std::uint32_t>(job / heads);
        RunOptions options;
        options.evaluate_every = info.evaluate_every;
        options.batch_size = info.batch_size;
        options.seed = head_seed(experiment.seed, r);
        options.threads = threads / at_once;
        found[job % heads][r] = run(*experiment.sets[r % experiment.sets.size()], streams[r],
                                    experiment.heads[job % heads], options, &stop);
      },
      experiment.after_each_run);

  const auto stream_index = static_cast<std::uint32_t>(results.streams.size());
  std::vector<Row> rows;
  for (std::size_t h = 0; h < heads; ++h) {
    const HeadChoice& choice = experiment.heads[h];
    Row row;
    row.data = info.data;
    row.schedule = info.schedule;
    row.encoder = experiment.encoder;
    row.head = choice.name;
    row.profile = choice.name == "ensemble" ? name_of(choice.ensemble.profile) : "";
    row.group = experiment.group;
    row.label = choice.label;
    row.stream = stream_index;
    row.settings = row_settings(choice, set.dimensions,
                                static_cast<std::uint32_t>(set.classes.size()), info.batch_size);
    fill_row(row, set.classes, found[h], tasks);
    rows.push_back(std::move(row));
  }
  if (streams[0].missing > 0) {
    results.notes.push_back(info.data + " " + info.schedule + ": " +
                            std::to_string(streams[0].missing) +
                            " pictures fewer than it asks for, because classes have no more");
  }
  results.streams.push_back(std::move(info));
  for (Row& row : rows) results.rows.push_back(std::move(row));
}

}  // namespace jackdaw::replay
