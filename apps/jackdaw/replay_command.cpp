// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay`: image folders as a stream of lessons.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "jackdaw/commands.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/replay_commands.hpp"
#include "jackdaw/shared_files.hpp"

namespace jackdaw::app {
namespace {

struct ReplayOptions {
  ReplayRunOptions run;
  std::string data;
  std::vector<std::string> schedules, encoders;
  std::vector<std::string> heads{"ensemble"}, profiles{"default"};
  std::uint32_t batches = 0, batch_size = 0, every = 10, dimensions = 0;
  EnsembleSettings ensemble;
  HeadSettings other;
  bool sign_lessons = false;
};

std::vector<replay::HeadChoice> head_choices(const ReplayOptions& o) {
  std::vector<replay::HeadChoice> choices;
  for (const std::string& name : o.heads) {
    replay::check_head(name);
    replay::HeadChoice choice;
    choice.name = name;
    choice.ensemble = o.ensemble;
    choice.other = o.other;
    choice.sign_lessons = o.sign_lessons;
    if (o.sign_lessons) choice.label = "lessons=sign";
    for (const std::string& profile : o.profiles) {
      choice.ensemble.profile = profile == "seed" ? Profile::kSeed : Profile::kDefault;
      choices.push_back(choice);
      if (name != "ensemble") break;
    }
  }
  return choices;
}

void check_given_once(const char* option, std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  throw SettingsError(std::string(option) + " names " + *twice + " twice");
}

// Enough of a set to see whether schedules fit it, before hours of encoding.
replay::EmbeddingSet outline_of(const replay::PictureSet& pictures) {
  replay::EmbeddingSet set;
  set.data = pictures.name;
  set.classes = pictures.classes;
  set.train.labels = pictures.train.labels;
  set.test.labels = pictures.test.labels;
  return set;
}

void run_replay(const ReplayOptions& o) {
  const char* missing = o.data.empty()        ? "--data DIR"
                        : o.schedules.empty() ? "--schedule NAME"
                        : o.encoders.empty()  ? "--encoder NAME"
                                              : nullptr;
  if (missing != nullptr) {
    throw SettingsError(std::string("replay needs ") + missing +
                        "; see 'jackdaw replay --help', or give one of its commands");
  }
  check_given_once("--head", o.heads);
  check_given_once("--profile", o.profiles);
  check_given_once("--schedule", o.schedules);
  check_given_once("--encoder", o.encoders);
  if (o.encoders.size() > o.run.runs) {
    throw SettingsError("--encoder names " + std::to_string(o.encoders.size()) +
                        ", which take turns, one for each run: give at least as many --runs");
  }
  replay::Experiment experiment;
  experiment.heads = head_choices(o);
  const replay::ScheduleFiles files{find_shared_file("replay/cifar100_superclasses.json")};
  std::vector<std::unique_ptr<replay::Schedule>> schedules;
  for (const std::string& name : o.schedules) schedules.push_back(make_schedule(name, files));
  replay::Results results = start_results(o.run);

  experiment.runs = o.run.runs;
  experiment.seed = o.run.seed;
  experiment.threads = o.run.threads;
  experiment.batches = o.batches;
  experiment.batch_size = o.batch_size;
  experiment.evaluate_every = o.every;
  const auto check_schedules = [&] {  // the last one's fault is told before the first is run
    for (const auto& schedule : schedules) {
      experiment.schedule = schedule.get();
      check_schedule(experiment);
    }
  };

  const replay::PictureSet pictures = read_pictures(o.data, o.run);
  const replay::EmbeddingSet outline = outline_of(pictures);
  experiment.sets = {&outline};
  check_schedules();
  for (const auto& schedule : schedules) {
    if (!lacks_superclasses(pictures, *schedule)) continue;
    add_note(results,
             "cifar100 20way: parts are random, not superclasses, because the classes are not "
             "called as in replay/cifar100_superclasses.json, or that file is not there");
  }

  std::vector<replay::EmbeddingSet> sets;
  for (const std::string& name : o.encoders) {
    sets.push_back(encode(pictures, name, o.run, results));
    if (o.dimensions != 0) sets.back() = first_dimensions(sets.back(), o.dimensions);
    experiment.encoder += (experiment.encoder.empty() ? "" : ",") + sets.back().encoder;
  }
  experiment.sets.clear();
  for (const replay::EmbeddingSet& set : sets) experiment.sets.push_back(&set);
  check_schedules();  // again: broken pictures may have been left out
  for (const auto& schedule : schedules) {
    experiment.schedule = schedule.get();
    run_with_progress(experiment, results);
    add_exhibits_for(o.run, experiment, pictures, results);
  }
  finish_results(results, o.run);
}

void add_ablations(CLI::App& command, ReplayOptions& o) {
  const std::map<std::string, StoreType> stores{
      {"int16", StoreType::kInt16}, {"half", StoreType::kHalf}, {"int32", StoreType::kInt32}};
  command.add_option("--dim", o.dimensions, "Only the first so many numbers of an embedding (d)");
  command.add_option("--classifiers", o.ensemble.classifiers, "How many classifiers (n)")
      ->capture_default_str();
  command.add_option("--nearest", o.ensemble.nearest, "How many of them answer (k)")
      ->capture_default_str();
  command
      .add_option_function<float>(
          "--tau", [&o](float tau) { o.ensemble.seed_rule.tau = o.other.linear.tau = tau; },
          "Profile seed and tanh: v = tau*tanh(./tau)")
      ->default_str("250");
  command.add_option("--store", o.ensemble.store, "How one number of a row is kept")
      ->transform(CLI::CheckedTransformer(stores, CLI::ignore_case))
      ->option_text("int16|half|int32");
  command.add_flag("--sign", o.sign_lessons,
                   "Teach the signs of the embeddings only, instead of graded numbers");
  command
      .add_option("--initial-scale", o.other.linear.initial_scale,
                  "vanilla, tanh: of the initial weights; the paper says 10, its code 0.1")
      ->capture_default_str();
  command.add_flag("--fan-in-of-paper", o.ensemble.seed_rule.fan_in_of_paper,
                   "Profile seed: initial weights as in the paper's text, not its code");
}

}  // namespace

void add_replay_command(CLI::App& program) {
  auto o = std::make_shared<ReplayOptions>();
  CLI::App* command = program.add_subcommand(
      "replay", "Teach image folders as a stream, class after class, and test what is remembered");
  command->add_option("--data", o->data, "DIR/train/CLASS/* and DIR/test/CLASS/*, or a list.csv");
  command
      ->add_option("--schedule", o->schedules,
                   "iid, 5way (or another number), gaussian, lowdata, shots:5 (or another number a "
                   "class), unequal, file:SCHEDULE.json; several with commas")
      ->delimiter(',');
  command
      ->add_option("--encoder", o->encoders,
                   "Its name or manifest; several with commas take turns, one for each run")
      ->delimiter(',');
  command
      ->add_option("--head", o->heads,
                   "ensemble, vanilla, tanh, ncm, slda, knn; several with commas see the same "
                   "streams")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--profile", o->profiles, "Of the ensemble; both with a comma")
      ->delimiter(',')
      ->check(CLI::IsMember({"default", "seed"}))
      ->option_text("default|seed");
  command->add_option("--batches", o->batches,
                      "How long the stream is; 0: 1000, or what one pass over the data allows");
  command->add_option("--batch-size", o->batch_size,
                      "0: 60 for a folder called mnist, 5 for lowdata, else 48");
  command->add_option("--every", o->every, "Test after so many batches")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_run_options(*command, o->run);
  add_ablations(*command, *o);
  command->footer(
      "Example: jackdaw replay --data cifar10 --schedule 5way --head ensemble,ncm,slda \\\n"
      "           --encoder efficientnet-lite0@cifar100-256 --runs 5 --report report.html");
  command->require_subcommand(0, 1);
  add_replay_compare_command(*command);
  add_replay_convert_command(*command);
  add_replay_paper_command(*command);
  add_replay_report_command(*command);
  command->callback([command, o] {
    if (command->get_subcommands().empty()) run_replay(*o);
  });
}

}  // namespace jackdaw::app
