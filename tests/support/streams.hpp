// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random settings, random streams of examples for them, and an ensemble's whole store as bytes.
//
//   Rng rng(seed());
//   const EnsembleSettings settings = random_settings(Profile::kDefault, StoreType::kHalf, rng);
//   auto ensemble = make_ensemble(settings, Device::kCpu);
//   open_classes(*ensemble, settings.max_classes);
//   for (const Taught& t : random_stream(*ensemble, 50, rng)) teach(*ensemble, t);
//   const Store before = store_of(*ensemble);

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "jackdaw/ensemble.hpp"
#include "support/seed.hpp"

namespace jackdaw::testing {

using Rng = std::mt19937_64;
using Bytes = std::vector<std::byte>;

inline constexpr Profile kProfiles[] = {Profile::kDefault, Profile::kSeed};
inline constexpr StoreType kStores[] = {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32};

inline std::uint32_t between(Rng& rng, std::uint32_t low, std::uint32_t high) {
  return std::uniform_int_distribution<std::uint32_t>(low, high)(rng);
}

inline std::string name_of_case(const EnsembleSettings& s) {
  return std::string(name_of(s.profile)) + " " + name_of(s.store) +
         " n=" + std::to_string(s.classifiers) + " k=" + std::to_string(s.nearest) +
         " d=" + std::to_string(s.dimensions) + " classes=" + std::to_string(s.max_classes) +
         " keys=" + std::to_string(s.seed);
}

// Small, mostly odd sizes. Profile seed gets enough weights for its initial ones to lie far from
// the clamp, and few enough neighbours for the similarities to sum to more than 0.
inline EnsembleSettings random_settings(Profile profile, StoreType store, Rng& rng) {
  const bool of_seed = profile == Profile::kSeed;
  EnsembleSettings s;
  s.profile = profile;
  s.store = store;
  s.classifiers = between(rng, of_seed ? 40 : 1, 90);
  s.nearest = between(rng, 1, of_seed ? 10 : std::min(s.classifiers, 20U));
  s.dimensions = between(rng, of_seed ? 20 : 1, 70);
  s.max_classes = between(rng, 2, 7);
  s.contexts = between(rng, 1, 3);
  s.max_batch = between(rng, 1, 9);
  s.batch_threads = between(rng, 1, 3);
  s.undo_depth = between(rng, 0, 5);
  s.seed = rng();
  return s;
}

// Gaussian classes round means of their own.
class Mixture {
 public:
  // spread: the deviation within a class, where that of the means is 1.
  Mixture(std::uint32_t classes, std::uint32_t dimensions, double spread, Rng& rng)
      : dimensions_(dimensions), spread_(spread), means_(std::size_t{classes} * dimensions) {
    std::normal_distribution<double> normal;
    for (double& m : means_) m = normal(rng);
  }

  std::vector<float> draw(std::uint32_t c, Rng& rng) const {
    std::normal_distribution<double> normal;
    std::vector<float> z(dimensions_);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] = static_cast<float>(means_[std::size_t{c} * dimensions_ + i] + spread_ * normal(rng));
    }
    return z;
  }

 private:
  std::size_t dimensions_;
  double spread_;
  std::vector<double> means_;
};

struct Taught {
  Bytes example;
  std::uint32_t slot = 0;
};

inline Bytes admitted(const Ensemble& ensemble, const std::vector<float>& embedding) {
  Bytes example(ensemble.example_bytes());
  REQUIRE(ensemble.admit(embedding, example) == Status::kOk);
  return example;
}

inline void open_classes(Ensemble& ensemble, std::uint32_t count) {
  for (std::uint32_t c = 0; c < count; ++c) REQUIRE(ensemble.open_slot(c) == Status::kOk);
}

// `count` examples of the classes [first, last), all of them teachable.
inline std::vector<Taught> random_stream(Ensemble& ensemble, std::size_t count, Rng& rng,
                                         std::uint32_t first = 0, std::uint32_t last = 0) {
  if (last == 0) last = ensemble.settings().max_classes;
  const Mixture mixture(last, ensemble.settings().dimensions, 1.0, rng);
  std::vector<Taught> stream;
  for (std::size_t tries = 0; stream.size() < count; ++tries) {
    REQUIRE(tries < 100 * count);
    const std::uint32_t slot = between(rng, first, last - 1);
    Bytes example = admitted(ensemble, mixture.draw(slot, rng));
    if (ensemble.check(example, slot) == Status::kOk) stream.push_back({std::move(example), slot});
  }
  return stream;
}

inline void teach(Ensemble& ensemble, const Taught& t) {
  REQUIRE(ensemble.teach(t.example, t.slot, Part::kBoth) == Status::kOk);
}
inline void teach(Ensemble& ensemble, const std::vector<Taught>& stream) {
  for (const Taught& t : stream) teach(ensemble, t);
}
inline void unteach(Ensemble& ensemble, const Taught& t) {
  REQUIRE(ensemble.unteach(t.example, t.slot, Part::kBoth) == Status::kOk);
}

inline Bytes class_of(Ensemble& ensemble, std::uint32_t slot) {
  Bytes section(ensemble.class_section_bytes());
  REQUIRE(ensemble.export_class(slot, section) == Status::kOk);
  return section;
}

inline Bytes shared_of(Ensemble& ensemble) {
  Bytes section(ensemble.shared_section_bytes());
  REQUIRE(ensemble.export_shared(section) == Status::kOk);
  return section;
}

// Everything that was learned, bit for bit. Slots that are not in use are empty.
struct Store {
  std::vector<Bytes> classes;
  Bytes shared;

  bool operator==(const Store& other) const {
    return classes == other.classes && shared == other.shared;
  }
};

inline Store store_of(Ensemble& ensemble) {
  Store store;
  for (std::uint32_t c = 0; c < ensemble.settings().max_classes; ++c) {
    store.classes.push_back(ensemble.class_count(c) < 0 ? Bytes() : class_of(ensemble, c));
  }
  store.shared = shared_of(ensemble);
  return store;
}

inline std::int64_t clipped_rows(const Ensemble& ensemble) {
  std::int64_t rows = 0;
  for (std::uint32_t c = 0; c < ensemble.settings().max_classes; ++c) {
    rows += ensemble.class_clipped(c);
  }
  return rows;
}

// The scores of one example; compare bits with memory_of().
inline std::vector<ClassScore> scores_of(Ensemble& ensemble, const Bytes& example,
                                         std::uint32_t context = 0) {
  std::vector<ClassScore> scores(ensemble.settings().max_classes);
  REQUIRE(ensemble.predict(context, example, scores) == Status::kOk);
  return scores;
}

template <class T>
Bytes memory_of(const std::vector<T>& values) {
  const auto* from = reinterpret_cast<const std::byte*>(values.data());
  return Bytes(from, from + values.size() * sizeof(T));
}

inline std::uint32_t best_slot(const std::vector<ClassScore>& scores) {
  const auto better = [](const ClassScore& a, const ClassScore& b) { return a.score < b.score; };
  return static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end(), better) -
                                    scores.begin());
}

}  // namespace jackdaw::testing
