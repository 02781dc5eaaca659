// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What an answer says: ranked labels, confidences that sum to 1, and "unknown".
#include <cmath>
#include <cstdlib>

#include "learner/answer.hpp"
#include "runtime/learner/learner_support.hpp"

namespace jackdaw::testing {
namespace {

void require_consistent(const Answer& answer, const AnswerRule& rule) {
  REQUIRE_FALSE(answer.ranked.empty());
  double sum = static_cast<double>(answer.unknown_confidence);
  for (std::size_t i = 0; i < answer.ranked.size(); ++i) {
    const RankedLabel& r = answer.ranked[i];
    sum += static_cast<double>(r.confidence);
    REQUIRE(r.confidence >= 0.0F);
    REQUIRE(r.confidence <= 1.0F);
    REQUIRE(r.score == answer.scores[r.slot].score);
    REQUIRE(r.typicality == answer.scores[r.slot].typicality);
    if (i == 0) continue;
    const RankedLabel& better = answer.ranked[i - 1];
    REQUIRE(better.score >= r.score);
    REQUIRE(better.confidence >= r.confidence);
    REQUIRE((better.score != r.score || better.slot < r.slot));
  }
  REQUIRE(sum == doctest::Approx(1.0).epsilon(1e-5));
  REQUIRE(answer.unknown == (answer.best().typicality < rule.unknown_below));
  // The decision agrees with the confidences.
  if (answer.unknown) REQUIRE(answer.unknown_confidence >= answer.best().confidence);
  if (!answer.unknown) REQUIRE(answer.unknown_confidence <= answer.best().confidence);
}

TEST_CASE("Answers are ranked, sum to 1 and agree with the decision, at every stage of learning") {
  for (const Profile profile : kProfiles) {
    Learner learner(small(profile));
    World world = small_world(1);
    int known = 0;
    int unknown = 0;
    for (int i = 0; i < 300; ++i) {
      teach(learner, world, world.below(i < 20 ? 2 : 6));
      if (i % 3 == 0) REQUIRE(learner.refresh() == Status::kOk);
      const Answer answer = answer_of(learner, world.draw(world.below(10)));
      CAPTURE(i);
      CAPTURE(static_cast<int>(profile));
      require_consistent(answer, learner.settings().answer);
      REQUIRE(answer.ranked.size() == learner.classes().size());
      (answer.unknown ? unknown : known) += 1;
    }
    CHECK(known > 30);
    if (profile == Profile::kDefault) CHECK(unknown > 30);
    if (profile == Profile::kSeed) CHECK(unknown == 0);  // the paper's rule has no typicality
  }
}

TEST_CASE("Before anything is taught, and with empty classes only, everything is unknown") {
  Learner learner(small());
  World world = small_world();
  Answer answer = answer_of(learner, world.draw(0));
  CHECK(answer.unknown);
  CHECK(answer.unknown_confidence == 1.0F);
  CHECK(answer.ranked.empty());
  REQUIRE(learner.add_class("empty") == Status::kOk);
  answer = answer_of(learner, world.draw(0));
  CHECK(answer.unknown);
  CHECK(answer.ranked.empty());
  Learner seed(small(Profile::kSeed));
  CHECK(answer_of(seed, world.draw(0)).unknown);
}

TEST_CASE("An answer that is used again holds nothing of the answer before") {
  Learner learner(small());
  World world = small_world();
  teach(learner, world, 0, 5);
  Answer answer = answer_of(learner, world.draw(0));
  REQUIRE(answer.ranked.size() == 1);
  SUBCASE("the only class is forgotten") {
    REQUIRE(learner.forget(World::name(0)) == Status::kOk);
    CHECK(learner.predict(world.draw(0), answer) == Status::kOk);
  }
  SUBCASE("the embedding is refused") {
    CHECK(learner.predict(std::vector<float>(24, std::nanf("")), answer) == Status::kNotFinite);
  }
  CHECK(answer.ranked.empty());
  CHECK(answer.unknown);
  CHECK(answer.unknown_confidence == 1.0F);
}

TEST_CASE("A query that no classifier is similar to is unknown in profile seed") {
  LearnerSettings settings = small(Profile::kSeed);
  settings.ensemble.classifiers = settings.ensemble.nearest = 8;
  Learner learner(settings);
  World world = small_world();
  Answer answer = learner.make_answer();
  int taught = 0;
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<float> embedding = world.draw(world.below(10));
    taught += learner.teach(embedding, "thing") == Status::kOk;
    const Status status = learner.predict(embedding, answer);
    if (status == Status::kOk) continue;
    ++refused;
    CHECK(status == Status::kNoSimilarity);
    CHECK(answer.unknown);
    CHECK(answer.ranked.empty());
  }
  CHECK(taught > 0);
  CHECK(refused > 0);
}

TEST_CASE("An answer of the wrong size or a context that does not exist is refused") {
  LearnerSettings settings = small();
  settings.ensemble.contexts = 2;
  Learner learner(settings);
  World world = small_world();
  teach(learner, world, 0);
  Answer answer;
  CHECK(learner.predict(world.draw(0), answer) == Status::kWrongSize);
  answer = learner.make_answer();
  CHECK(learner.predict(world.draw(0), answer, 1) == Status::kOk);
  CHECK(learner.predict(world.draw(0), answer, 2) == Status::kWrongSize);
}

// --- the rule itself, on scores made by hand ---------------------------------------------------

Answer answer_to(const std::vector<ClassScore>& scores, float bound = 0.9F, float scale = 1.0F) {
  Registry registry(static_cast<std::uint32_t>(scores.size()));
  for (std::uint32_t slot = 0; slot < scores.size(); ++slot) {
    registry.set(slot, Label(World::name(slot)), slot);
  }
  Answer answer;
  answer.ranked.resize(3);  // of an answer before
  answer.scores = scores;
  AnswerRule rule;
  rule.unknown_below = bound;
  fill_answer(registry, rule, scale, true, answer);
  require_consistent(answer, rule);
  return answer;
}

TEST_CASE("Unknown has the score that the best class would have at the bound") {
  const Answer answer = answer_to({{6.0F, 1.2F}, {1.0F, 0.2F}}, 0.9F);
  // As logits: 6, 1 and, for unknown, 6 * 0.9 / 1.2 = 4.5.
  const double sum = std::exp(6.0) + std::exp(1.0) + std::exp(4.5);
  CHECK_FALSE(answer.unknown);
  CHECK(static_cast<double>(answer.best().confidence) ==
        doctest::Approx(std::exp(6.0) / sum).epsilon(1e-5));
  CHECK(static_cast<double>(answer.unknown_confidence) ==
        doctest::Approx(std::exp(4.5) / sum).epsilon(1e-5));
  // At the bound itself, label and unknown weigh the same.
  const Answer even = answer_to({{3.0F, 0.5F}}, 0.5F);
  CHECK_FALSE(even.unknown);
  CHECK(even.unknown_confidence == doctest::Approx(0.5));
}

TEST_CASE("Scores of either sign, zero and very large ones still give a consistent answer") {
  for (const float score : {-4000.0F, -3.0F, -1e-3F, 0.0F, 1e-3F, 3.0F, 4000.0F}) {
    CAPTURE(score);
    answer_to({{score, score / 5.0F}, {score - 1.0F, (score - 1.0F) / 5.0F}});
    answer_to({{score, 1.0F}, {score - 1.0F, 1.0F}}, 0.9F, 1e4F);  // profile seed
  }
  CHECK(answer_to({{0.0F, 0.0F}}).unknown);
  CHECK(answer_to({{0.0F, 0.0F}}).unknown_confidence > 0.99F);
}

TEST_CASE("Equal scores are ranked by slot") {
  const Answer answer = answer_to({{1.0F, 1.0F}, {2.0F, 2.0F}, {2.0F, 2.0F}, {1.0F, 1.0F}});
  CHECK(answer.ranked[0].slot == 1);
  CHECK(answer.ranked[1].slot == 2);
  CHECK(answer.ranked[2].slot == 0);
  CHECK(answer.ranked[3].slot == 3);
}

}  // namespace
}  // namespace jackdaw::testing
