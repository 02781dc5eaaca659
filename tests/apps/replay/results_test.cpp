// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/replay/synthetic.hpp"
#include "replay/compare.hpp"
#include "replay/experiment.hpp"
#include "replay/merge_results.hpp"
#include "replay/results_json.hpp"
#include "replay/test_intervals.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::replay {
namespace {

Results some_results(std::uint64_t seed = 3, std::uint32_t nearest = 8) {
  const EmbeddingSet set = testing::gaussian_set(4, 16, 20, 10, 5, 2.5F);
  const auto schedule = make_schedule("2way", {});
  Experiment experiment;
  experiment.sets = {&set};
  experiment.schedule = schedule.get();
  for (const char* name : {"ensemble", "ncm"}) {
    HeadChoice choice;
    choice.name = name;
    choice.ensemble.classifiers = 64;
    choice.ensemble.nearest = nearest;
    experiment.heads.push_back(choice);
  }
  experiment.runs = 4;
  experiment.seed = seed;
  experiment.batch_size = 4;
  experiment.encoder = "none";
  Results results;
  results.seed = seed;
  results.runs = 4;
  results.command = "jackdaw replay \"quoted\" \xC3\xA4";
  results.data.push_back({"synthetic", "/nowhere", set.classes, 80, 40, 0, 0, ""});
  results.encoders.push_back({"none", "00", "", "", "", 16, 0, 0.0});
  results.published.push_back({"synthetic", "2way", "somebody", 12.5, std::nullopt});
  results.notes = {"nothing"};
  run_experiment(experiment, results);
  return results;
}

TEST_CASE("results survive writing and reading, in every field") {
  testing::TemporaryFolder folder;
  const Results results = some_results();
  write_results(results, folder.path("r.json"));
  const Results again = read_results(folder.path("r.json"));
  CHECK(to_json(again) == to_json(results));
  CHECK(again.rows[0].accuracy.runs == results.rows[0].accuracy.runs);
  CHECK(again.rows[0].curves.tasks[1].mean == results.rows[0].curves.tasks[1].mean);
  CHECK_FALSE(again.published[0].forgetting);
}

TEST_CASE("a rule that another version wrote is not taken for this one's") {
  auto json = nlohmann::json::parse(to_json(some_results()));
  const Results same = from_json(json.dump(), "r");
  CHECK(same_settings(same.rows[0].settings.ensemble, some_results().rows[0].settings.ensemble));
  auto& rule = json["rows"][0]["settings"]["ensemble"]["default_rule"];
  rule["another"] = 4.0;
  rule.erase("shrink_examples");
  const Results other = from_json(json.dump(), "r");
  CHECK(std::isnan(other.rows[0].settings.ensemble.default_rule.shrink_examples));
  CHECK_FALSE(same_settings(other.rows[0].settings.ensemble, same.rows[0].settings.ensemble));
  const Results kept = from_json(to_json(other), "r");
  CHECK(std::isnan(kept.rows[0].settings.ensemble.default_rule.shrink_examples));
}

TEST_CASE("the file has the documented shape") {
  const auto json = nlohmann::json::parse(to_json(some_results()));
  CHECK(json.at("schema") == 1);
  for (const auto& row : json.at("rows")) {
    for (const char* name : {"data", "schedule", "encoder", "head", "profile", "memory_bytes",
                             "settings", "unknown_auroc"}) {
      CHECK_MESSAGE(row.contains(name), name);
    }
    CHECK(row.at("accuracy").at("runs").size() == 4);
    CHECK(row.at("accuracy").at("mean").get<double>() <= 100.0);
    CHECK(row.at("accuracy").contains("std"));
    CHECK(row.at("forgetting").contains("mean"));
    CHECK(row.at("seconds").at("teach").get<double>() >= 0.0);
    CHECK(row.at("seconds").contains("predict"));
    CHECK(row.at("unknown_auroc") == row.at("unknown").at("auroc"));
  }
}

TEST_CASE("what are no results is refused with the file's name") {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 2, "rows": []})", R"({"schema": 1, "rows": 3})",
        R"({"schema": 1, "rows": [{"accuracy": {"mean": "high"}}]})",
        R"({"schema": 1, "seed": -1})", R"({"schema": 1, "runs": 5000000000})"}) {
    CAPTURE(std::string(text));
    try {
      static_cast<void>(from_json(text, "x.json"));
      FAIL("was accepted");
    } catch (const ResultsError& error) {
      CHECK(std::string(error.what()).find("x.json") == 0);
    }
  }
  CHECK(from_json(R"({"schema": 1, "rows": [{"head": "ncm"}]})", "x").rows[0].head == "ncm");
}

TEST_CASE("results of several calls become one; rows keep their streams") {
  const Results a = some_results();
  Results b = some_results();
  for (Row& row : b.rows) row.group = "few";
  b.streams[0].schedule = "other";
  b.encoders[0].name = "another";
  b.command = "jackdaw replay other";
  b.notes = {"nothing", "something"};
  const Results all = merge_results({a, b});
  REQUIRE(all.rows.size() == 4);
  CHECK(all.streams.at(all.rows[0].stream).schedule == "2way");
  CHECK(all.streams.at(all.rows[3].stream).schedule == "other");
  CHECK(all.rows[3].accuracy.runs == b.rows[1].accuracy.runs);
  CHECK(all.encoders.size() == 2);
  CHECK(all.data.size() == 1);
  CHECK(all.notes == std::vector<std::string>{"nothing", "something"});
  REQUIRE(all.calls.size() == 2);
  CHECK(all.calls[0].command == a.command);
  CHECK(all.calls[1].command == "jackdaw replay other");
  // Put together with a third, each call is still there once; and read back, too.
  Results c = a;
  for (Row& row : c.rows) row.group = "third";
  c.encoders[0].encoded = 5;
  const Results more = from_json(to_json(merge_results({all, c})), "more");
  CHECK(more.calls.size() == 3);
  CHECK(more.encoders[0].encoded == a.encoders[0].encoded + 5);
}

TEST_CASE("results that do not belong beside each other are not put together") {
  const Results a = some_results();
  CHECK_THROWS_AS(merge_results({}), SettingsError);
  CHECK_THROWS_WITH(merge_results({a, a}), doctest::Contains("two results hold the row"));
  Results b = a;
  for (Row& row : b.rows) row.group = "few";
  CHECK(merge_results({a, b}).rows.size() == 4);
  Results other_seed = b, other_encoder = b;
  other_seed.seed = 77;
  CHECK_THROWS_WITH(merge_results({a, other_seed}), doctest::Contains("seed 77"));
  other_encoder.encoders[0].hash = "11";
  CHECK_THROWS_WITH(merge_results({a, other_encoder}), doctest::Contains("the encoder none"));
  Results other_data = b, fewer = b;
  other_data.data[0].sha256 = "22";  // the other one does not know: by numbers
  CHECK(merge_results({a, other_data}).rows.size() == 4);
  fewer.data[0].train = 79;
  CHECK_THROWS_WITH(merge_results({a, fewer}), doctest::Contains("the pictures of synthetic"));
  Results known = a;
  known.data[0].sha256 = "33";
  CHECK_THROWS_WITH(merge_results({known, other_data}), doctest::Contains("the pictures of"));
}

TEST_CASE("a difference of pairs has the standard error of pairs") {
  const Spread a = spread_of({10, 20, 30}), b = spread_of({11, 22, 33});
  const Difference paired = difference(a, b, true);
  CHECK(paired.mean == doctest::Approx(2.0));
  CHECK(paired.standard_error.value() == doctest::Approx(1.0 / std::sqrt(3.0)));
  const Difference unpaired = difference(a, b, false);
  CHECK(unpaired.mean == doctest::Approx(2.0));
  CHECK(unpaired.standard_error.value() == doctest::Approx(std::sqrt((100.0 + 121.0) / 3.0)));
  CHECK_FALSE(difference(a, spread_of({1, 2}), true).paired);
  CHECK_FALSE(difference(spread_of({1}), spread_of({2}), true).standard_error.has_value());
}

TEST_CASE("rows about the same thing are compared, run by run where streams are the same") {
  const Results a = some_results(3, 8), b = some_results(3, 4), other_seed = some_results(4, 8);
  Results of_others = b;
  of_others.data[0].train += 1;
  CHECK_FALSE(compare(a, of_others).rows[0].accuracy.paired);
  CHECK(compare(a, of_others).rows[0].unpaired == "other pictures");
  const Comparison same = compare(a, b);
  REQUIRE(same.rows.size() == 2);
  CHECK(same.rows[0].what == "ensemble default");
  CHECK(same.rows[0].accuracy.paired);
  CHECK(same.rows[1].accuracy.mean == 0.0);  // ncm knows nothing of k
  CHECK(same.rows[0].unpaired.empty());
  CHECK_FALSE(compare(a, other_seed).rows[0].accuracy.paired);
  CHECK(compare(a, other_seed).rows[0].unpaired == "another seed");
  Results one = a, two = b;
  one.rows.resize(1);
  two.rows.erase(two.rows.begin());
  CHECK(compare(one, two).rows.at(0).what == "ensemble default / ncm");
  two.rows[0].schedule = "other";
  CHECK(compare(one, two).rows.empty());
  CHECK(compare(one, two).only_a == std::vector<std::string>{"synthetic 2way ensemble default"});
  CHECK(compare(one, two).only_b == std::vector<std::string>{"synthetic other ncm"});
}

TEST_CASE("forgetting is not compared between streams that were tested more and less often") {
  const Results a = some_results();
  Results b = a;
  CHECK(compare(a, b).rows.at(0).forgetting);
  b.streams[0].evaluate_every = 50;
  CHECK_FALSE(compare(a, b).rows.at(0).forgetting);
  CHECK(compare(a, b).rows.at(0).accuracy.paired);
  b = a;
  b.rows[0].curves.batches.push_back(1000);
  CHECK_FALSE(compare(a, b).rows.at(0).forgetting);
  b.rows[0].curves.batches.resize(1);
  CHECK_FALSE(compare(b, b).rows.at(0).forgetting);
  CHECK_FALSE(compare(a, b).rows.at(0).forgetting);
  CHECK(compare(a, b).rows.at(1).forgetting);
}

TEST_CASE("a row is compared with its own group's and encoder's, not with whatever is left") {
  Results a = some_results(), b = a;
  a.rows.resize(1);
  b.rows.resize(1);
  const auto add = [](Results& to, const char* group, const char* encoder) {
    to.rows.push_back(to.rows[0]);
    to.rows.back().group = group;
    to.rows.back().encoder = encoder;
  };
  for (const char* encoder : {"none", "second"}) add(a, "encoders", encoder);
  for (const char* encoder : {"none", "second", "third"}) add(b, "encoders", encoder);
  b.rows.erase(b.rows.begin());  // of the group ""
  const Comparison comparison = compare(a, b);
  REQUIRE(comparison.rows.size() == 3);
  CHECK(comparison.rows[0].encoder_b == "none");
  CHECK(comparison.rows[1].encoder_b == "second");
  CHECK(comparison.rows[2].encoder_a == "none");  // one is left on either side: with both names
  CHECK(comparison.rows[2].encoder_b == "third");
  add(b, "encoders", "fourth");
  CHECK(compare(a, b).rows.size() == 2);
  CHECK(compare(a, b).only_b.size() == 2);
}

TEST_CASE("how often a stream was tested is said by group where groups differ") {
  Results results = some_results();
  std::vector<const Row*> rows{&results.rows[0], &results.rows[1]};
  CHECK(test_intervals(results, rows) == "10");
  results.streams.push_back(results.streams[0]);
  results.streams[1].evaluate_every = 50;
  results.rows[1].stream = 1;
  results.rows[1].group = "ablation";
  CHECK(test_intervals(results, rows) == "10 (main), 50 (ablation)");
}

}  // namespace
}  // namespace jackdaw::replay
