// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>

#include "jackdaw/error.hpp"
#include "replay/paper.hpp"

namespace jackdaw::replay {
namespace {

PaperOptions everything() {
  PaperOptions options;
  options.data = {"mnist", "cifar10", "cifar100"};
  options.encoders = {{"efficientnet-lite0", 1280, ""},
                      {"resnet50-augnet", 2048, ""},
                      {"resnet50-sscd", 2048, ""},
                      {"resnet50-sscd@cifar10-1024", 1024, "cifar10"},
                      {"resnet50-sscd@cifar100-256", 256, "cifar100"},
                      {"resnet50-sscd@cifar100-512", 512, "cifar100/train"},
                      {"vae-omniglot", 512, ""},
                      {"vae-omniglot-1", 512, ""}};
  return options;
}

const PlannedExperiment* find(const PaperPlan& plan, const std::string& group,
                              const std::string& data, const std::string& schedule,
                              const std::string& encoder) {
  for (const PlannedExperiment& e : plan.experiments) {
    if (e.group == group && e.data == data && e.schedule == schedule && e.encoders[0] == encoder) {
      return &e;
    }
  }
  return nullptr;
}

bool notes(const PaperPlan& plan, const std::string& beginning) {
  return std::any_of(plan.notes.begin(), plan.notes.end(),
                     [&](const std::string& note) { return note.find(beginning) == 0; });
}

TEST_CASE("all of the paper's rows are planned where everything is there") {
  const PaperPlan plan = plan_paper(everything());
  for (const auto& [data, schedules] :
       {std::pair<std::string, std::vector<std::string>>{
            "mnist", {"5way", "lowdata", "10way", "gaussian", "iid"}},
        {"cifar10", {"5way", "10way", "gaussian", "iid"}},
        {"cifar100", {"20way", "100way", "gaussian", "iid"}}}) {
    for (const std::string& schedule : schedules) {
      CAPTURE(data + " " + schedule);
      std::vector<std::string> heads;
      for (const PlannedExperiment& e : plan.experiments) {
        if (e.group != "main" || e.data != data || e.schedule != schedule) continue;
        for (const HeadChoice& h : e.heads) {
          heads.push_back(h.name + (h.name == "ensemble" ? name_of(h.ensemble.profile) : ""));
        }
      }
      for (const char* head :
           {"ensembledefault", "ensembleseed", "vanilla", "tanh", "ncm", "slda", "knn"}) {
        CHECK_MESSAGE(std::count(heads.begin(), heads.end(), head) >= 1, head);
      }
    }
  }
  CHECK(find(plan, "main", "mnist", "5way", "vae-omniglot")->encoders.size() == 2);  // in turns
  CHECK(find(plan, "second", "cifar100", "20way", "resnet50-augnet") != nullptr);
  const PlannedExperiment* smaller = find(plan, "ablation", "cifar10", "5way", "resnet50-sscd");
  REQUIRE(smaller != nullptr);
  CHECK(std::any_of(smaller->heads.begin(), smaller->heads.end(), [](const HeadChoice& h) {
    return h.ensemble.classifiers == 128 && h.ensemble.nearest == 8 && h.label == "n=128 k=8";
  }));
}

TEST_CASE("only the heads that are asked for, the ensemble by its profile") {
  PaperOptions options = everything();
  options.heads = {"default", "knn"};
  const PaperPlan plan = plan_paper(options);
  std::set<std::string> seen;
  for (const PlannedExperiment& e : plan.experiments) {
    CHECK_FALSE(e.heads.empty());
    for (const HeadChoice& h : e.heads) {
      seen.insert(h.name == "ensemble" ? name_of(h.ensemble.profile) : h.name);
    }
  }
  CHECK(seen == options.heads);
  std::size_t main_rows = 0;
  for (const PlannedExperiment& e : plan.experiments) main_rows += e.group == "main" ? 1U : 0U;
  CHECK(main_rows == 13);
}

TEST_CASE("only the schedules that are asked for; side tables are tested less often") {
  PaperOptions options = everything();
  options.schedules = {"gaussian", "5way"};
  const PaperPlan plan = plan_paper(options);
  CHECK(find(plan, "main", "mnist", "gaussian", "vae-omniglot")->tested_less == 1);
  CHECK(find(plan, "ablation", "cifar10", "5way", "resnet50-sscd")->tested_less == 5);
  for (const PlannedExperiment& e : plan.experiments) {
    CHECK(options.schedules.count(e.schedule) == 1);
  }
}

TEST_CASE("data that are missing are named, unless nobody asked for them") {
  PaperOptions options = everything();
  options.data = {"cifar10"};
  CHECK(notes(plan_paper(options), "mnist is not among"));
  options.wanted = {"cifar10", "cifar100"};
  CHECK_FALSE(notes(plan_paper(options), "mnist is not among"));
  CHECK(notes(plan_paper(options), "cifar100 is not among"));
}

TEST_CASE("a second encoder that has no calibration is said, too") {
  PaperOptions options = everything();
  const std::string said = "cifar10: resnet50-augnet has no calibration";
  CHECK(notes(plan_paper(options), said));
  options.encoders.push_back({"resnet50-augnet@cifar100-512", 512, "cifar100"});
  CHECK_FALSE(notes(plan_paper(options), said));
}

TEST_CASE("a schedule that nothing has is refused") {
  PaperOptions options = everything();
  options.schedules = {"5way", "gausian"};
  CHECK_THROWS_WITH_AS(plan_paper(options), doctest::Contains("gausian"), SettingsError);
  options.schedules = {"lowdata"};
  CHECK_NOTHROW(plan_paper(options));
  options.data = {"cifar10"};
  CHECK_THROWS_AS(plan_paper(options), SettingsError);
}

TEST_CASE("a calibration never saw the data it is used on, and the largest is taken") {
  const PaperPlan plan = plan_paper(everything());
  CHECK(find(plan, "main", "cifar10", "5way", "resnet50-sscd@cifar100-512") != nullptr);
  CHECK(find(plan, "main", "cifar100", "20way", "resnet50-sscd@cifar10-1024") != nullptr);
  for (const PlannedExperiment& e : plan.experiments) {
    for (const std::string& name : e.encoders)
      CHECK(name.find("@" + e.data + "-") == std::string::npos);
  }
}

TEST_CASE("an encoder that cannot be calibrated is taken as the one that looks twice") {
  PaperOptions options;
  options.data = {"cifar10"};
  options.encoders = {{"resnet50-sscd", 512, ""}, {"resnet50-sscd-views", 512, ""}};
  const PaperPlan plan = plan_paper(options);
  const PlannedExperiment* papers = find(plan, "main", "cifar10", "5way", "resnet50-sscd");
  const PlannedExperiment* ours = find(plan, "main", "cifar10", "5way", "resnet50-sscd-views");
  REQUIRE(papers != nullptr);
  REQUIRE(ours != nullptr);
  CHECK(papers->heads[0].ensemble.profile == Profile::kSeed);
  CHECK(ours->heads[0].ensemble.profile == Profile::kDefault);
  const auto views_as_raw = [](const PlannedExperiment& e) {
    return e.encoders[0] == "resnet50-sscd-views" && e.heads[0].name == "ensemble" &&
           e.heads[0].ensemble.profile == Profile::kSeed;
  };
  CHECK(std::none_of(plan.experiments.begin(), plan.experiments.end(), views_as_raw));
}

TEST_CASE("each data set is loaded once for each list of encoders") {
  const PaperPlan plan = plan_paper(everything());
  std::vector<std::string> changes;
  for (const PlannedExperiment& e : plan.experiments) {
    const std::string key = e.data + e.encoders[0];
    if (changes.empty() || changes.back() != key) changes.push_back(key);
  }
  std::sort(changes.begin(), changes.end());
  CHECK(std::adjacent_find(changes.begin(), changes.end()) == changes.end());
}

TEST_CASE("what is missing is said") {
  PaperOptions options;
  options.data = {"mnist", "cifar10"};
  options.encoders = {{"efficientnet-lite0", 1280, ""}};
  const PaperPlan plan = plan_paper(options);
  std::string notes;
  for (const std::string& note : plan.notes) notes += note + "\n";
  for (const char* word :
       {"vae-omniglot", "cifar100 is not", "no calibration", "resnet50-augnet"}) {
    CHECK_MESSAGE(notes.find(word) != std::string::npos, notes);
  }
  CHECK(find(plan, "main", "cifar10", "5way", "efficientnet-lite0") != nullptr);
  options.groups = {"few"};
  for (const PlannedExperiment& e : plan_paper(options).experiments) CHECK(e.group == "few");
}

}  // namespace
}  // namespace jackdaw::replay
