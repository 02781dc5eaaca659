// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// "Unknown" works from the second class on. Synthetic streams: some of ten classes are taught, all
// ten are asked; the figures are printed.
#include "runtime/learner/learner_support.hpp"
#include "runtime/learner/unknown_measure.hpp"

namespace jackdaw::testing {
namespace {

struct Case {
  std::size_t taught;
  int examples;
  double least_auroc;
  double most_error;
};

// Over three worlds of ten classes.
UnknownMeasure measure(std::uint64_t stream, const Case& c) {
  LearnerSettings settings = small();
  settings.ensemble.classifiers = 256;
  settings.ensemble.nearest = 16;
  settings.ensemble.dimensions = 64;
  settings.ensemble.max_classes = 10;
  UnknownMeasure measured;
  for (std::uint64_t repeat = 0; repeat < 3; ++repeat) {
    Learner learner(settings);
    // Means nearer to each other than examples of a class are: neither easy nor hopeless.
    World world(seed() * 100 + stream * 10 + repeat, 10, 64, 0.5);
    for (int i = 0; i < c.examples; ++i) {
      for (std::size_t k = 0; k < c.taught; ++k) teach(learner, world, k);
    }
    REQUIRE(learner.refresh() == Status::kOk);
    for (int i = 0; i < 500; ++i) {
      const std::size_t k = static_cast<std::size_t>(i) % 10;
      measured.add(answer_of(learner, world.draw(k)),
                   k < c.taught ? World::name(k) : std::string());
    }
  }
  return measured;
}

TEST_CASE(
    "Things that were never taught are told from things that were, from the second class on") {
  const Case cases[] = {{1, 5, 0.90, 0.35},  {2, 5, 0.90, 0.30},  {2, 20, 0.95, 0.25},
                        {2, 60, 0.95, 0.25}, {5, 20, 0.93, 0.25}, {5, 60, 0.94, 0.25}};
  std::uint64_t stream = 0;
  for (const Case& c : cases) {
    const UnknownMeasure measured = measure(++stream, c);
    MESSAGE(c.taught << " of 10 taught, " << c.examples << " examples each: " << measured.text());
    CHECK(measured.auroc() >= c.least_auroc);
    CHECK(measured.balanced_error() <= c.most_error);
    CHECK(measured.accuracy() >= 0.9);
  }
}

}  // namespace
}  // namespace jackdaw::testing
