// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What leaves an ensemble as bytes and enters another.

#include <doctest/doctest.h>

#include <algorithm>

#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      for (int round = 0; round < 5; ++round) {
        const EnsembleSettings settings = random_settings(profile, store, rng);
        CAPTURE(name_of_case(settings));
        const auto ensemble = make_ensemble(settings, Device::kCpu);
        open_classes(*ensemble, settings.max_classes);
        teach(*ensemble, random_stream(*ensemble, 50, rng));
        const std::uint32_t closed = between(rng, 0, settings.max_classes - 1);
        if (round % 2 == 0) REQUIRE(ensemble->close_class(closed) == Status::kOk);
        REQUIRE(ensemble->refresh() == Status::kOk);
        use(*ensemble, rng);
      }
    }
  }
}

void import_all(Ensemble& to, const Store& store) {
  for (std::uint32_t c = 0; c < store.classes.size(); ++c) {
    if (!store.classes[c].empty()) REQUIRE(to.import_class(c, store.classes[c]) == Status::kOk);
  }
  REQUIRE(to.import_shared(store.shared) == Status::kOk);
}

TEST_CASE(
    "an ensemble that takes in another's sections holds the same store and, refreshed, gives the "
    "same answers, bit for bit") {
  each_kind([](Ensemble& from, Rng& rng) {
    const auto to = make_ensemble(from.settings(), Device::kCpu);
    const Store store = store_of(from);
    import_all(*to, store);
    CHECK(store_of(*to) == store);
    REQUIRE(to->refresh() == Status::kOk);
    for (int q = 0; q < 10; ++q) {
      const Mixture mixture(1, from.settings().dimensions, 1.0, rng);
      const Bytes query = admitted(from, mixture.draw(0, rng));
      std::vector<ClassScore> a(from.settings().max_classes), b(a);
      const Status status = from.predict(0, query, a);
      CHECK(to->predict(0, query, b) == status);
      CHECK(memory_of(a) == memory_of(b));
    }
  });
}

TEST_CASE("it goes on learning where the other left off") {
  each_kind([](Ensemble& from, Rng& rng) {
    const auto to = make_ensemble(from.settings(), Device::kCpu);
    open_classes(from, from.settings().max_classes);
    import_all(*to, store_of(from));
    const auto stream = random_stream(from, 30, rng);
    teach(from, stream);
    teach(*to, stream);
    CHECK(store_of(*to) == store_of(from));
    unteach(from, stream[7]);
    unteach(*to, stream[7]);
    CHECK(store_of(*to) == store_of(from));
  });
}

TEST_CASE("sections fit an ensemble with room for more classes, contexts and larger batches") {
  each_kind([](Ensemble& from, Rng& rng) {
    EnsembleSettings larger = from.settings();
    larger.max_classes += between(rng, 1, 9);
    larger.contexts += 2;
    larger.max_batch += 5;
    larger.undo_depth = 0;
    const auto to = make_ensemble(larger, Device::kCpu);
    const Store store = store_of(from);
    import_all(*to, store);
    REQUIRE(to->refresh() == Status::kOk);
    Store copied = store_of(*to);
    for (std::size_t c = store.classes.size(); c < copied.classes.size(); ++c) {
      CHECK(copied.classes[c].empty());
    }
    copied.classes.resize(store.classes.size());
    CHECK(copied == store);
    const Mixture mixture(1, larger.dimensions, 1.0, rng);
    const Bytes query = admitted(from, mixture.draw(0, rng));
    std::vector<ClassScore> a(from.settings().max_classes), b(larger.max_classes);
    const Status status = from.predict(0, query, a);
    CHECK(to->predict(larger.contexts - 1, query, b) == status);
    b.resize(a.size());
    CHECK(memory_of(a) == memory_of(b));
  });
}

TEST_CASE("profile default: a class may move to another slot, and its score moves with it") {
  Rng rng(seed());
  for (const StoreType store : kStores) {
    EnsembleSettings settings = random_settings(Profile::kDefault, store, rng);
    CAPTURE(name_of_case(settings));
    const auto from = make_ensemble(settings, Device::kCpu);
    open_classes(*from, settings.max_classes);
    const auto stream = random_stream(*from, 60, rng);
    teach(*from, stream);
    REQUIRE(from->refresh() == Status::kOk);
    const auto to = make_ensemble(settings, Device::kCpu);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {  // back to front
      REQUIRE(to->import_class(settings.max_classes - 1 - c, class_of(*from, c)) == Status::kOk);
    }
    REQUIRE(to->import_shared(shared_of(*from)) == Status::kOk);
    REQUIRE(to->refresh() == Status::kOk);
    const auto a = scores_of(*from, stream[0].example), b = scores_of(*to, stream[0].example);
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      const ClassScore& moved = b[settings.max_classes - 1 - c];
      if (from->class_count(c) == 0) continue;  // -infinity
      CHECK(a[c].score == doctest::Approx(moved.score).epsilon(1e-4).scale(1.0));
      CHECK(a[c].typicality == doctest::Approx(moved.typicality).epsilon(1e-4).scale(1.0));
    }
  }
}

TEST_CASE("keys are given out as they are used, and an ensemble on given keys holds them") {
  Rng rng(seed());
  EnsembleSettings settings = random_settings(Profile::kDefault, StoreType::kInt16, rng);
  const auto drawn = make_ensemble(settings, Device::kCpu);
  const std::size_t stride = (settings.dimensions + 31) / 32 * 32;
  REQUIRE(drawn->keys().size() == settings.classifiers * stride);
  std::vector<std::int8_t> keys;
  for (std::size_t j = 0; j < settings.classifiers; ++j) {
    for (std::size_t i = 0; i < settings.dimensions; ++i) {
      keys.push_back(static_cast<std::int8_t>(drawn->keys()[j * stride + i]));
    }
  }
  settings.seed += 1;
  const auto given = make_ensemble(settings, Device::kCpu, keys);
  CHECK(std::equal(drawn->keys().begin(), drawn->keys().end(), given->keys().begin()));
}

}  // namespace
}  // namespace jackdaw::testing
