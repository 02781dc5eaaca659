// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of `jackdaw replay ...`, a file each, and what they share.

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "replay/embedding_set.hpp"
#include "replay/experiment.hpp"
#include "replay/picture_set.hpp"
#include "replay/results.hpp"

namespace jackdaw::app {

void add_replay_compare_command(CLI::App& replay);
void add_replay_convert_command(CLI::App& replay);
void add_replay_paper_command(CLI::App& replay);
void add_replay_report_command(CLI::App& replay);

// What every command that runs streams is told.
struct ReplayRunOptions {
  std::uint32_t runs = 20;
  std::uint64_t seed = 0;
  std::uint32_t threads = 0;
  std::uint32_t most = 0;
  bool skip_bad = false;
  std::string out, report;
  bool json = false;
};

void add_run_options(CLI::App& command, ReplayRunOptions& options);

// Results with all that is known before the first run. The command line is in argv's order.
replay::Results start_results(const ReplayRunOptions& options);
// Fills in what is known at the end, writes options.out and options.report and prints the table, or
// JSON. seconds_before: of earlier calls that this one went on after.
void finish_results(replay::Results& results, const ReplayRunOptions& options,
                    double seconds_before = 0.0);
double seconds_so_far();  // of this program

// Throws if the file could not be written there: better now than after an hour. option: "--out".
void check_out(const std::string& path, const char* option = "--out");
// Throws if both are the same file.
void check_apart(const std::string& path, const std::string& other);

// Says which files are passed over because they are no pictures by their endings.
replay::PictureSet read_pictures(const std::string& path, const ReplayRunOptions& options);

// Pictures through an encoder and the cache, with a bar; notes both in the results.
replay::EmbeddingSet encode(const replay::PictureSet& pictures, const std::string& encoder,
                            const ReplayRunOptions& options, replay::Results& results);

// Keeps a note in the results, and says it now.
void add_note(replay::Results& results, const std::string& note);

// On CIFAR-100 20way is the paper's, by superclass; with other names of classes it cannot be.
bool lacks_superclasses(const replay::PictureSet& pictures, const replay::Schedule& schedule);

// With a bar.
void run_with_progress(replay::Experiment experiment, replay::Results& results);

// What a report shows besides measurements; nothing if neither results nor report are kept.
void add_exhibits_for(const ReplayRunOptions& options, const replay::Experiment& experiment,
                      const replay::PictureSet& pictures, replay::Results& results);

void print_rows(const replay::Results& results);

}  // namespace jackdaw::app
