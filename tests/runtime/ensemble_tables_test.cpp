// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// design.md, section 4, property 5, on this machine: every table of loops picks the same
// classifiers, learns the same store and gives the same scores, bit for bit.

#include <doctest/doctest.h>

#include <string>

#include "cpu/cpu_ensemble.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

struct Run {
  std::vector<std::uint32_t> chosen;
  std::vector<ClassScore> scores;
  Store store;
};

Run run(const EnsembleSettings& settings, const Primitives& table,
        const std::vector<Taught>& stream) {
  const auto ensemble = make_cpu_ensemble(settings, table);
  CHECK(ensemble->backend() == std::string("cpu ") + table.name);
  open_classes(*ensemble, settings.max_classes);
  Run result;
  const auto ask = [&](const Bytes& example) {
    std::vector<std::uint32_t> chosen(settings.nearest);
    REQUIRE(ensemble->nearest(0, example, chosen) == Status::kOk);
    result.chosen.insert(result.chosen.end(), chosen.begin(), chosen.end());
    const auto scores = scores_of(*ensemble, example);
    result.scores.insert(result.scores.end(), scores.begin(), scores.end());
  };
  std::size_t i = 0;
  for (; i < stream.size() / 2; ++i) {
    ask(stream[i].example);
    teach(*ensemble, stream[i]);
    if (i % 7 == 3) REQUIRE(ensemble->refresh() == Status::kOk);
  }
  while (i < stream.size()) {  // the rest in batches
    Bytes examples;
    std::vector<std::uint32_t> slots;
    for (; slots.size() < settings.max_batch && i < stream.size(); ++i) {
      examples.insert(examples.end(), stream[i].example.begin(), stream[i].example.end());
      slots.push_back(stream[i].slot);
    }
    REQUIRE(ensemble->teach_batch(examples, slots) == Status::kOk);
    ask(stream[i - 1].example);
  }
  result.store = store_of(*ensemble);
  return result;
}

TEST_CASE(
    "every table picks the same k, holds the same store and gives the same scores as the plain "
    "one") {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      for (int round = 0; round < 5; ++round) {
        EnsembleSettings settings = random_settings(profile, store, rng);
        settings.classifiers = between(rng, 40, 400);  // so that the fast top-k takes its short cut
        settings.max_batch = between(rng, 1, 30);
        CAPTURE(name_of_case(settings));
        const auto plain = make_cpu_ensemble(settings, kPlainPrimitives);
        open_classes(*plain, settings.max_classes);
        const auto stream = random_stream(*plain, 60, rng);
        const Run expected = run(settings, kPlainPrimitives, stream);
        for (const Primitives* table : runnable_primitives()) {
          CAPTURE(std::string(table->name));
          const Run actual = run(settings, *table, stream);
          CHECK(actual.chosen == expected.chosen);
          CHECK(actual.store == expected.store);
          CHECK(memory_of(actual.scores) == memory_of(expected.scores));
        }
      }
    }
  }
}

TEST_CASE("equal keys are told apart by their index alone") {
  EnsembleSettings settings;
  settings.classifiers = 300;
  settings.nearest = 17;
  settings.dimensions = 9;
  settings.max_classes = 2;
  Rng rng(seed());
  std::vector<std::int8_t> keys(300 * 9);
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<std::int8_t>(i % 9);  // all alike
  std::vector<float> embedding(9, 1.0F);
  for (const Primitives* table : runnable_primitives()) {
    const auto ensemble = make_cpu_ensemble(settings, *table, keys);
    std::vector<std::uint32_t> chosen(17);
    REQUIRE(ensemble->nearest(0, admitted(*ensemble, embedding), chosen) == Status::kOk);
    for (std::uint32_t r = 0; r < 17; ++r) CHECK(chosen[r] == r);
  }
}

}  // namespace
}  // namespace jackdaw::testing
