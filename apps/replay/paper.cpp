// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/paper.hpp"

#include <algorithm>
#include <tuple>

#include "jackdaw/error.hpp"
#include "replay/paper_encoders.hpp"

namespace jackdaw::replay {
namespace {

using Names = std::vector<std::string>;

HeadChoice head(const std::string& name, Profile profile = Profile::kDefault) {
  HeadChoice choice;
  choice.name = name;
  choice.ensemble.profile = profile;
  return choice;
}

// Of what is asked for; nothing asked for is all.
bool chosen(const std::set<std::string>& asked, const std::string& name) {
  return asked.empty() || asked.count(name) != 0;
}

std::string called(const HeadChoice& choice) {
  return choice.name == "ensemble" ? name_of(choice.ensemble.profile) : choice.name;
}

HeadChoice sized(Profile profile, std::uint32_t n, std::uint32_t k) {
  HeadChoice choice = head("ensemble", profile);
  choice.ensemble.classifiers = n;
  choice.ensemble.nearest = k;
  choice.label = "n=" + std::to_string(n) + " k=" + std::to_string(k);
  return choice;
}

HeadChoice stored(StoreType store) {
  HeadChoice choice = head("ensemble");
  choice.ensemble.store = store;
  choice.label = std::string("store=") + name_of(store);
  return choice;
}

HeadChoice taught_signs() {
  HeadChoice choice = head("ensemble");
  choice.sign_lessons = true;
  choice.label = "lessons=sign";
  return choice;
}

Names schedules_of(const std::string& data) {
  if (data == "mnist") return {"5way", "lowdata", "10way", "gaussian", "iid"};
  if (data == "cifar10") return {"5way", "10way", "gaussian", "iid"};
  return {"20way", "100way", "gaussian", "iid"};
}

std::string split_of(const std::string& data) { return data == "cifar100" ? "20way" : "5way"; }

class Planner {
 public:
  explicit Planner(const PaperOptions& options) : options_(options) {}

  PaperPlan plan() {
    plan_.notes = options_.notes;
    for (const char* data : {"mnist", "cifar10", "cifar100"}) {
      if (!chosen(options_.wanted, data)) continue;
      if (options_.data.count(data) == 0) {
        plan_.notes.push_back(std::string(data) + " is not among the data: its rows are left out");
        continue;
      }
      plan_data(data);
    }
    for (const std::string& schedule : options_.schedules) {
      if (met_.count(schedule) == 0) {
        throw SettingsError("--schedules: nothing that would be run has the schedule \"" +
                            schedule +
                            "\"; 'jackdaw replay paper --list' without it says what there is");
      }
    }
    std::stable_sort(plan_.experiments.begin(), plan_.experiments.end(),
                     [](const PlannedExperiment& a, const PlannedExperiment& b) {
                       return std::tie(a.data, a.encoders) < std::tie(b.data, b.encoders);
                     });
    return std::move(plan_);
  }

 private:
  bool wanted(const char* group) const { return chosen(options_.groups, group); }

  void add(const char* group, const std::string& data, const std::string& schedule,
           const Names& encoders, std::vector<HeadChoice> heads) {
    if (!wanted(group)) return;
    met_.insert(schedule);
    if (!chosen(options_.schedules, schedule)) return;
    const auto unwanted = [&](const HeadChoice& h) { return !chosen(options_.heads, called(h)); };
    heads.erase(std::remove_if(heads.begin(), heads.end(), unwanted), heads.end());
    if (heads.empty()) return;
    const std::string name = group;
    const std::uint32_t tested_less = name == "main" || name == "few" ? 1 : 5;
    plan_.experiments.push_back({name, data, schedule, encoders, std::move(heads), tested_less});
  }

  // The paper's models see the encoder's raw output, the others a calibrated one.
  void plan_data(const std::string& data) {
    const Names raw = raw_encoders(options_, data, options_.cifar_encoder);
    if (raw.empty()) {
      plan_.notes.push_back(data + ": no encoder is there; get one: jackdaw engine get " +
                            (data == "mnist"                  ? "vae-omniglot"
                             : options_.cifar_encoder.empty() ? "efficientnet-lite0"
                                                              : options_.cifar_encoder));
      return;
    }
    const Names calibrated = calibrated_if_it_can(data, raw);
    const std::vector<HeadChoice> ours{head("ensemble"), head("ncm"), head("slda"), head("knn")};
    const std::vector<HeadChoice> papers{head("ensemble", Profile::kSeed), head("vanilla"),
                                         head("tanh")};
    for (const std::string& schedule : schedules_of(data)) {
      add("main", data, schedule, raw, papers);
      add("main", data, schedule, calibrated, ours);
    }
    if (calibrated != raw) {
      HeadChoice slda = head("slda");
      slda.label = "raw";
      add("main", data, split_of(data), raw, {slda});
    }
    for (const char* few : {"shots:1", "shots:5", "shots:20", "unequal"}) {
      add("few", data, few, calibrated, ours);
    }
    if (data == "cifar10") plan_ablations(data, raw, calibrated);
    if (data != "mnist") plan_second(data);
    if (data == "cifar10") plan_encoders(data);
  }

  Names calibrated_if_it_can(const std::string& data, const Names& raw) {
    Names calibrated = calibrated_encoders(options_, data, raw);
    if (calibrated == raw) {
      plan_.notes.push_back(data + ": " + raw.front() +
                            " has no calibration from other pictures; profile default takes its "
                            "raw output, which it is not made for");
    }
    return calibrated;
  }

  void plan_ablations(const std::string& data, const Names& raw, const Names& calibrated) {
    for (const Profile profile : {Profile::kSeed, Profile::kDefault}) {
      std::vector<HeadChoice> heads;
      for (const auto& [n, k] : {std::pair{512U, 16U}, {256U, 16U}, {128U, 8U}}) {
        heads.push_back(sized(profile, n, k));
      }
      for (const std::uint32_t k : {64U, 128U, 256U}) heads.push_back(sized(profile, 1024, k));
      if (profile == Profile::kDefault) {
        heads.push_back(stored(StoreType::kHalf));
        heads.push_back(stored(StoreType::kInt32));
        heads.push_back(taught_signs());
      }
      add("ablation", data, "5way", profile == Profile::kSeed ? raw : calibrated, heads);
    }
  }

  void plan_second(const std::string& data) {
    if (!wanted("second")) return;
    const Names raw = raw_encoders(options_, data, options_.second_encoder);
    if (raw.empty()) {
      plan_.notes.push_back(data + ": the second encoder, " + options_.second_encoder +
                            ", is not there; get it: jackdaw engine get " +
                            options_.second_encoder);
      return;
    }
    const Names calibrated = calibrated_if_it_can(data, raw);
    for (const std::string& schedule : schedules_of(data)) {
      add("second", data, schedule, raw, {head("ensemble", Profile::kSeed)});
      add("second", data, schedule, calibrated, {head("ensemble")});
    }
  }

  void plan_encoders(const std::string& data) {
    for (const AvailableEncoder& encoder : options_.encoders) {
      if (!encoder.calibrated_on.empty() || looks_twice(encoder.name) ||
          encoder.name.rfind("vae-", 0) == 0) {
        continue;
      }
      const Names raw{encoder.name};
      add("encoders", data, "5way", raw, {head("ensemble", Profile::kSeed)});
      add("encoders", data, "5way", calibrated_encoders(options_, data, raw), {head("ensemble")});
    }
  }

  const PaperOptions& options_;
  PaperPlan plan_;
  std::set<std::string> met_;  // schedules, also those that are not wanted
};

}  // namespace

PaperPlan plan_paper(const PaperOptions& options) { return Planner(options).plan(); }

// Only what the paper's text and the texts it names state in words; its tables are not at hand.
std::vector<Published> published_figures() {
  const char* const ensemble = "the paper's ensemble";
  return {{"mnist", "5way", ensemble, std::nullopt, 6.2},
          {"mnist", "5way", "CN-DPM", 93.23, std::nullopt},
          {"mnist", "5way", "ER-MIR", std::nullopt, 7.0},
          {"mnist", "lowdata", "GDumb", 91.9, std::nullopt},
          {"cifar10", "5way", ensemble, 79.0, 7.5},
          {"cifar10", "5way", "ER-MIR", std::nullopt, 17.4},
          {"cifar100", "20way", ensemble, 55.3, std::nullopt},
          {"cifar100", "100way", ensemble, 54.1, std::nullopt}};
}

}  // namespace jackdaw::replay
