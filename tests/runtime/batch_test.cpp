// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A batch gives the same bits however many threads share it, and whichever way it is cut.

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "cpu/cpu_ensemble.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

struct Batch {
  Bytes examples;
  std::vector<std::uint32_t> slots;
};

// Of one class, of two that are very unequal, or of any; many examples alike, so that rows are
// shared and the sign of a sum decides.
Batch random_batch(Ensemble& ensemble, Rng& rng) {
  const EnsembleSettings& s = ensemble.settings();
  const auto stream = random_stream(ensemble, between(rng, 1, s.max_batch), rng);
  const std::uint32_t kind = between(rng, 0, 2);
  Batch batch;
  for (std::size_t b = 0; b < stream.size(); ++b) {
    const Bytes& example = stream[between(rng, 0, 2) == 0 ? 0 : b].example;
    batch.examples.insert(batch.examples.end(), example.begin(), example.end());
    batch.slots.push_back(kind == 0 ? 1 : kind == 1 && between(rng, 0, 4) > 0 ? 0 : stream[b].slot);
  }
  return batch;
}

TEST_CASE("batches teach and answer the same with one thread and with several") {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (int round = 0; round < 8; ++round) {
      EnsembleSettings settings = random_settings(profile, kStores[round % 3], rng);
      settings.max_batch = between(rng, 2, 40);
      settings.max_classes = between(rng, 2, 9);
      CAPTURE(name_of_case(settings));
      const auto alone = make_cpu_ensemble(settings);
      open_classes(*alone, settings.max_classes);
      std::vector<Batch> batches;
      for (int i = 0; i < 12; ++i) batches.push_back(random_batch(*alone, rng));
      const auto answers_of = [&](Ensemble& ensemble) {
        std::vector<ClassScore> all;
        for (const Batch& batch : batches) {
          REQUIRE(ensemble.teach_batch(batch.examples, batch.slots) == Status::kOk);
          std::vector<ClassScore> scores(batch.slots.size() * settings.max_classes);
          REQUIRE(ensemble.predict_batch(0, batch.examples, scores) == Status::kOk);
          all.insert(all.end(), scores.begin(), scores.end());
        }
        return memory_of(all);
      };
      const Bytes expected = answers_of(*alone);
      for (const std::uint32_t threads : {2U, 3U, 7U}) {
        CAPTURE(threads);
        EnsembleSettings shared = settings;
        shared.batch_threads = threads;
        const auto ensemble = make_cpu_ensemble(shared);
        open_classes(*ensemble, settings.max_classes);
        CHECK(answers_of(*ensemble) == expected);
        CHECK(store_of(*ensemble) == store_of(*alone));
      }
    }
  }
}

TEST_CASE("a batch at the door is what its embeddings are one by one; one that is refused, too") {
  Rng rng(seed());
  std::normal_distribution<float> normal;
  for (const Profile profile : kProfiles) {
    for (const std::uint32_t threads : {1U, 3U}) {
      EnsembleSettings settings = random_settings(profile, StoreType::kInt16, rng);
      settings.batch_threads = threads;
      const auto ensemble = make_cpu_ensemble(settings);
      const std::size_t d = settings.dimensions, count = 23, bytes = ensemble->example_bytes();
      std::vector<float> embeddings(count * d);
      for (float& value : embeddings) value = normal(rng);
      Bytes expected;
      for (std::size_t b = 0; b < count; ++b) {
        const Bytes one =
            admitted(*ensemble, {embeddings.begin() + static_cast<std::ptrdiff_t>(b * d),
                                 embeddings.begin() + static_cast<std::ptrdiff_t>((b + 1) * d)});
        expected.insert(expected.end(), one.begin(), one.end());
      }
      Bytes examples(count * bytes);
      REQUIRE(ensemble->admit_batch(embeddings, examples) == Status::kOk);
      CHECK(examples == expected);
      CHECK(ensemble->admit_batch(Span<const float>(embeddings).subspan(1), examples) ==
            Status::kWrongSize);
      embeddings[between(rng, 0, static_cast<std::uint32_t>(embeddings.size()) - 1)] =
          std::numeric_limits<float>::quiet_NaN();
      CHECK(ensemble->admit_batch(embeddings, examples) == Status::kNotFinite);
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
