// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Everything that can be asked wrongly on the frame path: a status, and a store that is the same to
// the last byte.

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>

#include "core/section.hpp"
#include "jackdaw/error.hpp"
#include "support/log.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

struct Fixture {
  Fixture(Profile profile, StoreType store, Rng& rng)
      : settings(with_free_slot(random_settings(profile, store, rng))),
        ensemble(make_ensemble(settings, Device::kCpu)),
        free_slot(settings.max_classes - 1) {
    open_classes(*ensemble, settings.max_classes - 1);
    stream = random_stream(*ensemble, 20, rng, 0, free_slot);
    teach(*ensemble, stream);
    good = stream.front().example;
    before = store_of(*ensemble);
  }
  ~Fixture() { CHECK(store_of(*ensemble) == before); }

  static EnsembleSettings with_free_slot(EnsembleSettings s) {
    s.max_classes = std::max(s.max_classes, 3U);
    return s;
  }

  EnsembleSettings settings;
  std::unique_ptr<Ensemble> ensemble;
  std::uint32_t free_slot;
  std::vector<Taught> stream;
  Bytes good;
  Store before;
};

template <class Use>
void each_kind(const Use& use) {
  Rng rng(seed());
  for (const Profile profile : kProfiles) {
    for (const StoreType store : kStores) {
      Fixture f(profile, store, rng);
      CAPTURE(name_of_case(f.settings));
      use(f);
    }
  }
}

constexpr Part kParts[] = {Part::kClass, Part::kShared, Part::kBoth};

TEST_CASE(
    "the door refuses embeddings of another size, NaN, infinity and zero; the example is not "
    "written") {
  each_kind([](Fixture& f) {
    const std::size_t d = f.settings.dimensions;
    const Bytes untouched(f.ensemble->example_bytes(), std::byte{0x5A});
    Bytes example = untouched;
    const auto admit = [&](std::vector<float> z) { return f.ensemble->admit(z, example); };
    CHECK(admit(std::vector<float>(d + 1, 1.0F)) == Status::kWrongSize);
    CHECK(admit(std::vector<float>(d - 1, 1.0F)) == Status::kWrongSize);
    CHECK(admit({}) == Status::kWrongSize);
    CHECK(admit(std::vector<float>(d, 0.0F)) == Status::kZeroEmbedding);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
      for (const std::size_t place : {std::size_t{0}, d / 2, d - 1}) {
        std::vector<float> z(d, 1.0F);
        z[place] = bad;
        CHECK(admit(z) == Status::kNotFinite);
      }
    }
    CHECK(example == untouched);
    Bytes longer(example.size() + 1);
    CHECK(f.ensemble->admit(std::vector<float>(d, 1.0F), longer) == Status::kWrongSize);
  });
}

TEST_CASE("examples of another size are refused by every call") {
  each_kind([](Fixture& f) {
    Ensemble& e = *f.ensemble;
    std::vector<ClassScore> scores(f.settings.max_classes);
    std::vector<std::uint32_t> chosen(f.settings.nearest);
    for (const std::size_t size :
         {std::size_t{0}, f.good.size() - 1, f.good.size() + 1, 2 * f.good.size()}) {
      const Bytes bad(size);
      CHECK(e.check(bad, 0) == Status::kWrongSize);
      for (const Part part : kParts) {
        CHECK(e.teach(bad, 0, part) == Status::kWrongSize);
        CHECK(e.unteach(bad, 0, part) == Status::kWrongSize);
      }
      CHECK(e.predict(0, bad, scores) == Status::kWrongSize);
      CHECK(e.nearest(0, bad, chosen) == Status::kWrongSize);
    }
  });
}

TEST_CASE("slots that are not in use are refused") {
  each_kind([](Fixture& f) {
    Ensemble& e = *f.ensemble;
    for (const std::uint32_t slot : {f.free_slot, f.settings.max_classes, 0xFFFFFFFFU}) {
      CAPTURE(slot);
      CHECK(e.check(f.good, slot) == Status::kNoSuchClass);
      for (const Part part : {Part::kClass, Part::kBoth}) {
        CHECK(e.teach(f.good, slot, part) == Status::kNoSuchClass);
        CHECK(e.unteach(f.good, slot, part) == Status::kNoSuchClass);
      }
      CHECK(e.close_class(slot) == Status::kNoSuchClass);
      Bytes section(e.class_section_bytes());
      CHECK(e.export_class(slot, section) == Status::kNoSuchClass);
      CHECK(e.class_count(slot) == -1);
      CHECK(e.class_clipped(slot) == 0);
      const std::uint32_t slots[] = {0, slot};
      if (f.settings.max_batch < 2) continue;
      Bytes two = f.good;
      two.insert(two.end(), f.good.begin(), f.good.end());
      CHECK(e.teach_batch(two, slots) == Status::kNoSuchClass);
    }
    CHECK(e.import_class(f.settings.max_classes, f.before.classes[0]) == Status::kNoClassFree);
    CHECK(e.empty_slot(f.settings.max_classes) == Status::kNoSuchClass);
    if (f.settings.profile == Profile::kDefault) {
      std::vector<std::int32_t> sums((f.settings.dimensions + 31) / 32 * 32);
      CHECK(e.class_sums(f.free_slot, sums) == Status::kNoSuchClass);
      sums.pop_back();
      CHECK(e.class_sums(0, sums) == Status::kWrongSize);
      CHECK(e.retire(sums, 3) == Status::kWrongSize);
      sums.push_back(0);
      CHECK(e.retire(sums, -1) == Status::kWrongSize);
    }
  });
}

TEST_CASE("nothing is un-taught from a class without examples") {
  each_kind([](Fixture& f) {
    REQUIRE(f.ensemble->open_slot(f.free_slot) == Status::kOk);
    CHECK(f.ensemble->unteach(f.good, f.free_slot, Part::kBoth) == Status::kNothingToUndo);
    CHECK(f.ensemble->unteach(f.good, f.free_slot, Part::kClass) == Status::kNothingToUndo);
    CHECK(f.ensemble->class_count(f.free_slot) == 0);
    REQUIRE(f.ensemble->close_class(f.free_slot) == Status::kOk);
  });
}

TEST_CASE("batches that are empty, too large or of unequal parts are refused") {
  each_kind([](Fixture& f) {
    Ensemble& e = *f.ensemble;
    const std::size_t most = f.settings.max_batch;
    const auto batch = [&](std::size_t count) {
      Bytes examples;
      for (std::size_t b = 0; b < count; ++b) {
        examples.insert(examples.end(), f.good.begin(), f.good.end());
      }
      return examples;
    };
    const auto teach_some = [&](std::size_t examples, std::size_t slots) {
      return e.teach_batch(batch(examples), std::vector<std::uint32_t>(slots, 0));
    };
    CHECK(teach_some(0, 0) == Status::kWrongSize);
    CHECK(teach_some(most + 1, most + 1) == Status::kWrongSize);
    CHECK(teach_some(1, 2) == Status::kWrongSize);
    CHECK(teach_some(2, 1) == Status::kWrongSize);
    const auto ask = [&](const Bytes& examples, std::size_t rows) {
      std::vector<ClassScore> scores(rows * f.settings.max_classes);
      return e.predict_batch(0, examples, scores);
    };
    CHECK(ask(batch(0), 0) == Status::kWrongSize);
    CHECK(ask(batch(most + 1), most + 1) == Status::kWrongSize);
    CHECK(ask(batch(1), 2) == Status::kWrongSize);
    Bytes broken = batch(1);
    broken.pop_back();
    CHECK(ask(broken, 1) == Status::kWrongSize);
    CHECK(ask(batch(most), most) == Status::kOk);
  });
}

TEST_CASE("contexts that were not planned and results of another size are refused") {
  each_kind([](Fixture& f) {
    Ensemble& e = *f.ensemble;
    std::vector<ClassScore> scores(f.settings.max_classes);
    std::vector<std::uint32_t> chosen(f.settings.nearest);
    CHECK(e.predict(f.settings.contexts, f.good, scores) == Status::kWrongSize);
    CHECK(e.nearest(f.settings.contexts, f.good, chosen) == Status::kWrongSize);
    scores.pop_back();
    chosen.push_back(0);
    CHECK(e.predict(0, f.good, scores) == Status::kWrongSize);
    CHECK(e.nearest(0, f.good, chosen) == Status::kWrongSize);
    Bytes section(e.class_section_bytes() + 1);
    CHECK(e.export_class(0, section) == Status::kWrongSize);
    Bytes shared(e.shared_section_bytes() + 1);
    CHECK(e.export_shared(shared) == Status::kWrongSize);
  });
}

TEST_CASE(
    "profile seed: an example to which the chosen keys sum to nothing is not taught and not "
    "answered") {
  EnsembleSettings settings;
  settings.profile = Profile::kSeed;
  settings.classifiers = settings.nearest = 9;  // k = n in few dimensions: S < 0 for half of them
  settings.dimensions = 3;
  settings.max_classes = 2;
  settings.store = StoreType::kInt32;
  const auto ensemble = make_ensemble(settings, Device::kCpu);
  open_classes(*ensemble, 2);
  Rng rng(seed());
  const Mixture mixture(1, 3, 3.0, rng);
  int refused = 0;
  for (int i = 0; i < 50; ++i) {
    const Bytes example = admitted(*ensemble, mixture.draw(0, rng));
    if (ensemble->check(example, 0) == Status::kOk) continue;
    ++refused;
    const Store before = store_of(*ensemble);
    CHECK(ensemble->check(example, 0) == Status::kNoSimilarity);
    CHECK(ensemble->teach(example, 0, Part::kBoth) == Status::kNoSimilarity);
    std::vector<ClassScore> scores(2);
    CHECK(ensemble->predict(0, example, scores) == Status::kNoSimilarity);
    for (const ClassScore& s : scores) {
      CHECK(s.score == -std::numeric_limits<float>::infinity());
    }
    CHECK(store_of(*ensemble) == before);
  }
  CHECK(refused > 0);
}

TEST_CASE("set-up throws for keys that do not fit and for CUDA that is not there, and says so") {
  EnsembleSettings settings;
  settings.classifiers = 8;
  settings.nearest = 2;
  settings.dimensions = 3;
  const std::vector<std::int8_t> keys(8 * 3 - 1);
  CHECK_THROWS_WITH_AS(make_ensemble(settings, Device::kCpu, keys),
                       "keys hold 23 numbers; 8 classifiers x 3 dimensions are needed",
                       SettingsError);
  settings.profile = Profile::kSeed;
  CHECK_THROWS_AS(make_ensemble(settings, Device::kCpu, keys), SettingsError);
  settings.nearest = 9;
  CHECK_THROWS_AS(make_ensemble(settings, Device::kCpu), SettingsError);
}

}  // namespace
}  // namespace jackdaw::testing
