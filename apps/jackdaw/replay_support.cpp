// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What the commands of `jackdaw replay` share: options, encoding and running with a bar, tables.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>

#include "jackdaw/engines/calibration.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/progress.hpp"
#include "jackdaw/replay_commands.hpp"
#include "replay/calibrate_set.hpp"
#include "replay/encode_all.hpp"
#include "replay/exhibits.hpp"
#include "replay/machine.hpp"
#include "replay/merge_results.hpp"
#include "replay/report/page.hpp"
#include "replay/results_json.hpp"
#include "replay/test_intervals.hpp"
#include "replay/thumbnail.hpp"

namespace jackdaw::app {
namespace {

const auto kProgramStart = std::chrono::steady_clock::now();

// As a shell reads it back.
std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char letter : word) {
    if (letter == '\'') text += "'\\'";  // ends the quotes, adds one, and begins them again
    text += letter;
  }
  return text + "'";
}

std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text, word;
  while (std::getline(file, word, '\0')) {
    if (text.empty()) word = std::filesystem::path(word).filename().string();
    text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return text;
}

std::string plus_minus(const replay::Spread& spread) {
  return fixed(spread.mean, 1) + (spread.runs.size() > 1 ? " ± " + fixed(spread.std, 1) : "");
}

}  // namespace

void add_run_options(CLI::App& command, ReplayRunOptions& o) {
  command.add_option("--runs", o.runs, "Runs, each with a stream of its own")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command.add_option("--seed", o.seed, "Where all random choices come from")
      ->check([](const std::string& text) {  // what is too large would be taken for the largest
        std::uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [at, fault] = std::from_chars(text.data(), end, value);
        return fault == std::errc() && at == end ? "" : text + " is not a whole number below 2^64";
      })
      ->capture_default_str();
  command.add_option("--threads", o.threads, "For the runs; 0: one a core; changes no result")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_option("--most", o.most,
                     "Use at most so many pictures of a class, to teach and to test; 0: all");
  command.add_flag("--skip-bad", o.skip_bad, "Leave out pictures that cannot be read");
  command.add_option("--out", o.out, "Write the results to this file");
  command.add_option("--report", o.report, "Write a page to look at, report.html");
  command.add_flag("--json", o.json, "Print the results as JSON");
}

void check_out(const std::string& path, const char* option) {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  std::error_code ignored;  // what cannot be looked at cannot be written either
  const fs::path folder = fs::path(path).parent_path();
  const std::string where = folder.empty() ? "." : folder.string();
  const fs::file_status there = fs::status(path, ignored);
  std::string fault;
  if (!fs::is_directory(where, ignored) || ::access(where.c_str(), W_OK) != 0) {
    fault = where + " is not there, no folder or not to be written";
  } else if (fs::exists(there) && !fs::is_regular_file(there)) {
    fault = fs::is_directory(there) ? "it is a folder" : "it is no ordinary file";
  }
  if (!fault.empty()) {
    throw SettingsError(std::string(option) + " " + path + " cannot be written: " + fault);
  }
}

void check_apart(const std::string& path, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool same =
      !path.empty() && !other.empty() &&
      (fs::equivalent(path, other, ignored) ||
       fs::absolute(path).lexically_normal() == fs::absolute(other).lexically_normal());
  if (same) throw SettingsError(path + " is given twice: one would overwrite the other");
}

replay::Results start_results(const ReplayRunOptions& options) {
  check_out(options.out);
  check_out(options.report, "--report");
  check_apart(options.out, options.report);
  replay::Results results;
  results.command = command_line();
  results.started = replay::utc_now();
  results.seed = options.seed;
  results.runs = options.runs;
  results.machine = replay::this_machine();
  results.threads = options.threads == 0 ? results.machine.cores : options.threads;
  results.versions = replay::these_versions();
  return results;
}

double seconds_so_far() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - kProgramStart).count();
}

void finish_results(replay::Results& results, const ReplayRunOptions& options,
                    double seconds_before) {
  results.peak_memory_bytes = replay::peak_memory_bytes();
  results.total_seconds = seconds_before + seconds_so_far();
  // Hours of work are lost neither where the disk is full nor where nobody reads what is printed.
  std::exception_ptr fault;
  try {
    if (!options.out.empty()) replay::write_results(results, options.out);
    if (!options.report.empty()) replay::report::write_page(results, options.report);
  } catch (const std::exception&) {
    fault = std::current_exception();
  }
  if (options.json) {
    std::printf("%s", replay::to_json(results).c_str());
  } else {
    print_rows(results);
  }
  std::fflush(stdout);
  if (fault) std::rethrow_exception(fault);
  if (options.json) return;
  if (!options.out.empty()) std::printf("\nwritten to %s\n", options.out.c_str());
  if (!options.report.empty()) std::printf("\nreport: %s\n", options.report.c_str());
}

void add_note(replay::Results& results, const std::string& note) {
  results.notes.push_back(note);
  say(note);
}

bool lacks_superclasses(const replay::PictureSet& pictures, const replay::Schedule& schedule) {
  return pictures.name == "cifar100" && schedule.name() == "20way" &&
         schedule.grouping(pictures.classes) != "superclass";
}

namespace {

std::string passed_over(const replay::PictureSet& pictures) {
  return pictures.name + ": " + std::to_string(pictures.left_out.size()) +
         " files are passed over: they do not end in .png, .jpg or the like, or are links to "
         "folders; the first is " +
         pictures.left_out.front();
}

}  // namespace

replay::PictureSet read_pictures(const std::string& path, const ReplayRunOptions& options) {
  replay::PictureSet pictures = replay::read_picture_set(path, options.most);
  if (!pictures.left_out.empty()) say(passed_over(pictures));
  return pictures;
}

namespace {

replay::Encoded encode_with(const Manifest& manifest, const replay::PictureSet& pictures,
                            const ReplayRunOptions& options) {
  const auto encoder = make_encoder(manifest);
  replay::EncodeOptions encode_options;
  encode_options.skip_bad = options.skip_bad;
  encode_options.threads = options.threads;
  encode_options.cache_folder = cache_folder() + "/embeddings";
  std::unique_ptr<Progress> bar;
  const char* doing = nullptr;
  encode_options.progress = [&](const char* what, std::size_t done, std::size_t total) {
    if (doing != what) {
      bar = std::make_unique<Progress>(std::string(what) + " " + pictures.name, total);
      doing = what;
    }
    bar->set(done);
  };
  return replay::encode_all(pictures, *encoder, encode_options);
}

// Of a calibrated encoder whose origin is here, too, that one encodes, and its last layer is
// applied to what is kept.
std::optional<Manifest> origin_of(const Manifest& manifest) {
  if (!manifest.calibration || !std::filesystem::exists(calibration_path(manifest))) return {};
  for (const ListedEncoder& listed : list_encoders()) {
    if (listed.fault.empty() && !listed.manifest.calibration &&
        listed.manifest.graph_sha256 == manifest.calibration->encoder_sha256) {
      return listed.manifest;
    }
  }
  return {};
}

// Once; and that they are the same every time: rows of other pictures do not belong beside these.
void note_data(const replay::PictureSet& pictures, const replay::Encoded& encoded,
               replay::Results& results) {
  const std::map<std::string, std::uint64_t> whole{
      {"mnist", 60000}, {"cifar10", 50000}, {"cifar100", 50000}};
  const replay::DataInfo info{pictures.name,
                              pictures.path,
                              pictures.classes,
                              encoded.set.train.labels.size(),
                              encoded.set.test.labels.size(),
                              encoded.faults.size(),
                              whole.count(pictures.name) != 0 ? whole.at(pictures.name) : 0,
                              encoded.pictures_sha256};
  for (const replay::DataInfo& known : results.data) {
    if (known.name != info.name) continue;
    if (same_pictures(known, info)) return;
    throw Error(pictures.path +
                ": these are not the pictures that the rows so far were made with; put those back, "
                "or remove the .partial file to begin again");
  }
  results.data.push_back(info);
  if (!pictures.left_out.empty()) results.notes.push_back(passed_over(pictures));
  if (!encoded.faults.empty()) {
    results.notes.push_back(pictures.name + ": " + std::to_string(encoded.faults.size()) +
                            " pictures are left out; the first: " + encoded.faults.front());
  }
  if (encoded.in_both > 0) {
    add_note(results, pictures.name + ": " + std::to_string(encoded.in_both) +
                          " test pictures are also among those that are taught");
  }
}

}  // namespace

replay::EmbeddingSet encode(const replay::PictureSet& pictures, const std::string& encoder_name,
                            const ReplayRunOptions& options, replay::Results& results) {
  const Manifest manifest = find_encoder(encoder_name);
  const std::optional<Manifest> origin = origin_of(manifest);
  replay::Encoded encoded = encode_with(origin ? *origin : manifest, pictures, options);
  if (origin) {
    encoded.set = replay::calibrate_set(encoded.set, read_calibration(calibration_path(manifest)),
                                        manifest.name);
    const replay::EncoderInfo by = encoded.encoder;
    encoded.encoder = replay::info_of(manifest);
    encoded.encoder.backend = by.backend + ", last layer by jackdaw";
    encoded.encoder.encoded = by.encoded;
    encoded.encoder.pictures_per_second = by.pictures_per_second;
  }
  for (const std::string& fault : encoded.faults) say("left out: " + fault);
  note_data(pictures, encoded, results);
  const auto same_name = [&](const auto& info) { return info.name == encoded.encoder.name; };
  if (std::none_of(results.encoders.begin(), results.encoders.end(), same_name)) {
    results.encoders.push_back(encoded.encoder);
  }
  return std::move(encoded.set);
}

void run_with_progress(replay::Experiment experiment, replay::Results& results) {
  const std::size_t notes = results.notes.size();
  {
    Progress bar(experiment.sets.at(0)->data + " " + experiment.schedule->name(),
                 replay::jobs_of(experiment));
    experiment.after_each_run = [&] { bar.step(); };
    run_experiment(experiment, results);
  }
  for (std::size_t i = notes; i < results.notes.size(); ++i) say(results.notes[i]);
}

void add_exhibits_for(const ReplayRunOptions& options, const replay::Experiment& experiment,
                      const replay::PictureSet& pictures, replay::Results& results) {
  if (options.out.empty() && options.report.empty()) return;
  Progress bar("figures of " + pictures.name, 1);
  add_exhibits(experiment, results);
  add_thumbnails(pictures, results);
  bar.step();
}

void print_rows(const replay::Results& results) {
  std::vector<std::vector<std::string>> rows{{"data, schedule, head", "accuracy %", "forgetting",
                                              "unknown", "memory", "us a lesson", "us an answer",
                                              "encoder"}};
  for (const replay::Row& r : results.rows) {
    rows.push_back({r.data + " " + r.schedule + " " + replay::what_of(r), plus_minus(r.accuracy),
                    tested_once(r) ? "" : plus_minus(r.forgetting),
                    r.unknown ? fixed(r.unknown->auroc, 3) : "", human_bytes(r.memory_bytes),
                    fixed(1e6 * r.seconds.teach / std::max(1.0, r.seconds.lessons), 1),
                    fixed(1e6 * r.seconds.predict / std::max(1.0, r.seconds.answers), 1),
                    r.encoder});
  }
  print_table(rows);
  std::printf("\nseed %llu, %u runs; forgetting is the paper's, over evaluations every ",
              static_cast<unsigned long long>(results.seed), results.runs);
  std::vector<const replay::Row*> all;
  for (const replay::Row& r : results.rows) all.push_back(&r);
  std::printf("%s batches\n", test_intervals(results, all).c_str());
  std::set<std::string> said;
  const auto say = [&](const replay::StreamInfo& s, const std::string& what) {
    const std::string line = s.data + " " + s.schedule + ": " + what;
    if (said.insert(line).second) std::printf("%s\n", line.c_str());
  };
  for (const replay::StreamInfo& s : results.streams) {
    if (s.grouping == "superclass") say(s, "one superclass after the other");
    if (s.shortened) {
      say(s, std::to_string(s.batches) + " of " + std::to_string(s.full_batches) +
                 " batches, every part shorter in proportion");
    }
  }
}

}  // namespace jackdaw::app
