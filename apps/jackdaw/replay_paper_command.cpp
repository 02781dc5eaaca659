// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay paper`: everything, in one go that may be interrupted.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/replay_commands.hpp"
#include "jackdaw/shared_files.hpp"
#include "replay/paper.hpp"
#include "replay/results_json.hpp"

namespace jackdaw::app {
namespace {

struct PaperCommandOptions {
  ReplayRunOptions run;
  std::string root;
  std::vector<std::string> data, groups, schedules, heads;
  std::string cifar_encoder, second_encoder = "resnet50-augnet";
  std::uint32_t every = 10;
  bool list = false;
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

// A name that is wrong would leave out all rows of CIFAR.
void check_cifar_encoder(const replay::PaperOptions& options) {
  const std::string& name = options.cifar_encoder;
  if (name.empty() || (options.data.count("cifar10") == 0 && options.data.count("cifar100") == 0)) {
    return;
  }
  const auto& all = options.encoders;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& encoder) { return encoder.name == name; });
  if (found == all.end()) {
    throw Error("--encoder " + name + " is not there; 'jackdaw engine list' says what is, " +
                "'jackdaw engine get' fetches more");
  }
  if (!found->calibrated_on.empty()) {
    throw SettingsError("--encoder " + name + " is calibrated: name the encoder that it was made " +
                        "of, " + name.substr(0, name.find('@')) +
                        "; its calibration from other pictures is found");
  }
}

replay::PaperOptions paper_options(const PaperCommandOptions& o) {
  replay::PaperOptions out;
  out.groups.insert(o.groups.begin(), o.groups.end());
  out.schedules.insert(o.schedules.begin(), o.schedules.end());
  out.heads.insert(o.heads.begin(), o.heads.end());
  out.wanted.insert(o.data.begin(), o.data.end());
  for (const char* name : {"mnist", "cifar10", "cifar100"}) {
    const bool wanted = out.wanted.empty() || out.wanted.count(name) != 0;
    if (wanted && std::filesystem::is_directory(o.root + "/" + name)) out.data.insert(name);
  }
  if (out.data.empty()) {
    throw SettingsError(o.root + ": holds no folder " +
                        (o.data.empty() ? "mnist, cifar10 or cifar100" : joined(o.data)) +
                        "; make it with: jackdaw replay convert");
  }
  for (const ListedEncoder& listed : list_encoders()) {
    if (!listed.fault.empty()) {
      out.notes.push_back(listed.name + " is left out, it cannot be used: " + listed.fault);
      continue;
    }
    const Manifest& m = listed.manifest;
    out.encoders.push_back(
        {listed.name, m.output_size, m.calibration ? m.calibration->pictures : std::string()});
  }
  out.cifar_encoder = o.cifar_encoder;
  out.second_encoder = o.second_encoder;
  check_cifar_encoder(out);
  return out;
}

bool wants(const replay::PlannedExperiment& planned, const replay::Row& row) {
  if (row.group != planned.group || row.data != planned.data || row.schedule != planned.schedule ||
      row.encoder != joined(planned.encoders)) {
    return false;
  }
  return std::any_of(
      planned.heads.begin(), planned.heads.end(), [&](const replay::HeadChoice& head) {
        return row.head == head.name && row.label == head.label &&
               (row.profile.empty() || row.profile == name_of(head.ensemble.profile)) &&
               replay::same_settings(row.settings.ensemble, head.ensemble);
      });
}

// Rows of an interrupted run are taken over if they were made alike.
void take_over(const std::string& partial, const replay::PaperPlan& plan,
               replay::Results& results) {
  if (!std::filesystem::exists(partial)) return;
  const replay::Results before = replay::read_results(partial);
  if (before.seed != results.seed || before.runs != results.runs ||
      before.command != results.command || before.versions.jackdaw != results.versions.jackdaw) {
    throw SettingsError(partial + " is of another call (" + before.command +
                        "); finish that one, or remove the file");
  }
  for (const replay::Row& row : before.rows) {
    const auto& all = plan.experiments;
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return wants(one, row); })) {
      throw SettingsError(partial + " holds a row that would not be run now (" + row.data + " " +
                          row.schedule + ", " + row.encoder +
                          "): encoders or data have come or gone since, or the rule is another; "
                          "remove the file to begin again, or put them back");
    }
  }
  results.started = before.started;
  results.total_seconds = before.total_seconds;
  results.data = before.data;
  results.encoders = before.encoders;
  results.streams = before.streams;
  results.rows = before.rows;
  results.notes = before.notes;
  results.exhibits = before.exhibits;
  std::fprintf(stderr, "jackdaw: going on after %zu rows in %s\n", results.rows.size(),
               partial.c_str());
}

bool done(const replay::PlannedExperiment& planned, const replay::Results& results) {
  return std::any_of(results.rows.begin(), results.rows.end(),
                     [&](const replay::Row& row) { return wants(planned, row); });
}

// Rows that were taken over must be of the very encoder that goes on.
void check_same_encoder(const std::string& name, const replay::Results& results) {
  const std::string hash = encoder_hash(find_encoder(name));
  for (const replay::EncoderInfo& info : results.encoders) {
    if (info.name == name && info.hash != hash) {
      throw SettingsError(name +
                          " is not the encoder that the rows so far were made with; remove "
                          "the .partial file to begin again");
    }
  }
}

class PaperRun {
 public:
  explicit PaperRun(const PaperCommandOptions& o) : o_(o) {}

  void run() {
    const replay::PaperPlan plan = replay::plan_paper(paper_options(o_));
    for (const std::string& note : plan.notes) say(note);
    if (o_.list) return print_plan(plan);
    if (plan.experiments.empty()) throw Error("nothing is left to run");
    replay::Results results = start_results(o_.run);
    const std::string partial = o_.run.out.empty() ? "" : o_.run.out + ".partial";
    if (!partial.empty()) take_over(partial, plan, results);
    const double seconds_before = results.total_seconds;
    results.published = replay::published_figures();
    for (const replay::PlannedExperiment& planned : plan.experiments) {
      if (done(planned, results)) continue;
      load(planned, results);
      run_one(planned, results);
      results.total_seconds = seconds_before + seconds_so_far();
      if (!partial.empty()) replay::write_results(results, partial);
    }
    // Only now: what was left out of an earlier call may have come since.
    results.notes.insert(results.notes.begin(), plan.notes.begin(), plan.notes.end());
    finish_results(results, o_.run, seconds_before);
    std::error_code ignored;
    if (!partial.empty()) std::filesystem::remove(partial, ignored);
  }

 private:
  static void print_plan(const replay::PaperPlan& plan) {
    for (const replay::PlannedExperiment& e : plan.experiments) {
      std::string heads;
      for (const replay::HeadChoice& h : e.heads) {
        heads += " " + h.name +
                 (h.name == "ensemble" ? std::string(":") + name_of(h.ensemble.profile) : "");
        if (!h.label.empty()) heads += "(" + h.label + ")";
      }
      std::printf("%-9s %-9s %-9s %s:%s\n", e.group.c_str(), e.data.c_str(), e.schedule.c_str(),
                  joined(e.encoders).c_str(), heads.c_str());
    }
  }

  // One data set with one list of encoders at a time.
  void load(const replay::PlannedExperiment& planned, replay::Results& results) {
    if (planned.data == loaded_data_ && planned.encoders == loaded_encoders_) return;
    sets_.clear();
    if (planned.data != loaded_data_) {
      pictures_ = read_pictures(o_.root + "/" + planned.data, o_.run);
    }
    for (const std::string& name : planned.encoders) {
      sets_.push_back(encode(pictures_, name, o_.run, results));
      check_same_encoder(name, results);
    }
    loaded_data_ = planned.data;
    loaded_encoders_ = planned.encoders;
  }

  void run_one(const replay::PlannedExperiment& planned, replay::Results& results) {
    const std::string superclasses = shared_file("replay/cifar100_superclasses.json");
    const auto schedule = replay::make_schedule(planned.schedule, {superclasses});
    if (lacks_superclasses(pictures_, *schedule)) {
      throw replay::DataError(pictures_.path + ": its classes are not those of " + superclasses +
                              ", so 20way would not be by superclass; name them as that file does");
    }
    replay::Experiment experiment;
    for (const replay::EmbeddingSet& set : sets_) experiment.sets.push_back(&set);
    experiment.schedule = schedule.get();
    experiment.heads = planned.heads;
    experiment.runs = o_.run.runs;
    experiment.seed = o_.run.seed;
    experiment.threads = o_.run.threads;
    experiment.encoder = joined(planned.encoders);
    experiment.group = planned.group;
    experiment.evaluate_every = o_.every * planned.tested_less;
    run_with_progress(experiment, results);
    if (planned.group == "main") add_exhibits_for(o_.run, experiment, pictures_, results);
  }

  const PaperCommandOptions& o_;
  std::string loaded_data_;
  std::vector<std::string> loaded_encoders_;
  replay::PictureSet pictures_;
  std::vector<replay::EmbeddingSet> sets_;
};

template <std::size_t N>
void add_some_of(CLI::App& command, const char* option, std::vector<std::string>& to,
                 const char* const (&all)[N]) {
  const std::vector<std::string> names(std::begin(all), std::end(all));
  command.add_option(option, to, "Only some of " + joined(names))
      ->delimiter(',')
      ->check(CLI::IsMember(names));
}

}  // namespace

void add_replay_paper_command(CLI::App& replay_command) {
  auto o = std::make_shared<PaperCommandOptions>();
  CLI::App* command = replay_command.add_subcommand(
      "paper", "Run every benchmark of the paper that the data and the encoders at hand allow");
  command->add_option("--data", o->root, "A folder with mnist, cifar10 and cifar100, or some")
      ->required();
  command->add_option("--sets", o->data, "Only these data sets, with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"mnist", "cifar10", "cifar100"}));
  add_some_of(*command, "--groups", o->groups, replay::kPaperGroups);
  command->add_option("--schedules", o->schedules, "Only these schedules, with commas")
      ->delimiter(',');
  add_some_of(*command, "--heads", o->heads, replay::kPaperHeads);
  command->add_option("--encoder", o->cifar_encoder,
                      "For CIFAR, uncalibrated; a calibration of it from other pictures is found");
  command->add_option("--second", o->second_encoder, "For the table with another encoder")
      ->capture_default_str();
  command
      ->add_option(
          "--every", o->every,
          "Test after so many batches; in ablation, second and encoders after five times as many")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_flag("--list", o->list, "Only say what would be run");
  add_run_options(*command, o->run);
  command->footer(
      "Interrupted with --out, the same call goes on where it stopped.\n"
      "Example: jackdaw replay paper --data ~/data --runs 20 --out paper.json --report paper.html");
  command->callback([o] { PaperRun(*o).run(); });
}

}  // namespace jackdaw::app
