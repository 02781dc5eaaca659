// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "scenarios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rig.hpp"

namespace jackdaw {

EnsembleSettings settings_for(Profile profile, StoreType store, const Size& size) {
  EnsembleSettings s;
  s.profile = profile;
  s.store = store;
  s.classifiers = size.n;
  s.nearest = size.k;
  s.dimensions = size.d;
  s.max_classes = size.classes;
  s.max_batch = 6;
  s.seed_rule.learning_rate = 0.5F;  // so that tanh bends within the range of a test
  s.seed_rule.tau = 30.0F;
  return s;
}

Faults check_predict(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  rig.predict({rig.example()});
  rig.nearest(rig.example());
  rig.predict({rig.example(), rig.example(), rig.example()});
  return rig.faults();
}

Faults check_teach(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  const auto x = rig.example();
  const auto y = rig.example();
  const std::uint32_t slot = rig.used_slot();
  rig.teach(x, slot, 1, Part::kBoth);
  rig.teach(y, slot, 1, Part::kClass);
  rig.teach(y, rig.used_slot(), 1, Part::kShared);
  rig.teach(x, slot, -1, Part::kBoth);
  rig.predict({y});
  return rig.faults();
}

Faults check_teach_batch(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  const auto x = rig.example();
  auto near = x;  // chooses nearly the same classifiers, with another sign here and there
  for (float& value : near) value = rig.random(5) == 0 ? -value : value;
  const std::uint32_t a = rig.used_slot();
  std::uint32_t b = rig.used_slot();
  for (int tries = 0; b == a && tries < 20; ++tries)
    b = rig.used_slot();  // another class, if there is one
  rig.teach_batch({x, rig.example(), near, x, rig.example(), near}, {a, b, a, b, a, a});
  rig.teach_batch({rig.example()}, {a});
  return rig.faults();
}

Faults check_saturation(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  const std::int32_t limit = element_limit(settings.store);
  for (std::size_t i = 0; i < rig.model.rows.size(); ++i) {
    const std::size_t element = i % rig.model.stride;
    if (element >= settings.dimensions) continue;
    rig.model.rows[i] = element < 8          ? 0
                        : rig.random(2) == 0 ? limit
                                             : -limit;  // the first lane clamps nothing
  }
  rig.upload();
  const auto x = rig.example();
  rig.teach(x, 0, 1, Part::kBoth);
  rig.teach(x, 0, 1, Part::kBoth);
  rig.teach(x, 0, -1, Part::kBoth);
  rig.predict({x});
  return rig.faults();
}

Faults check_norms(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  rig.refresh_norms();
  rig.predict({rig.example()});
  // Small means: the noise is larger than the norms, so the least shares hold.
  for (std::int32_t& sum : rig.model.class_sums) sum /= 1000;
  rig.upload();
  rig.refresh_norms();
  rig.predict({rig.example()});
  // The last example goes: an empty class has no norm.
  rig.model.class_counts[0] = 1;
  rig.model.class_norms[0] = 5.0F;
  rig.upload();
  rig.teach(rig.example(), 0, -1, Part::kClass);
  // No class at all.
  for (std::int32_t& count : rig.model.class_counts) count = -1;
  rig.upload();
  rig.refresh_norms();
  return rig.faults();
}

Faults check_ties(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  const std::uint32_t n = settings.classifiers;
  rig.choose(std::vector<double>(n, 5.0));
  rig.choose(std::vector<double>(n, -5.0));
  rig.choose(std::vector<double>(n, 0.0));
  std::vector<double> values(n);
  for (double& v : values) v = static_cast<double>(rig.random(5)) - 3.0;  // more below 0 than above
  rig.choose(values);
  for (double& v : values) v = rig.random(2) == 0 ? -0.0 : 0.0;
  if (settings.profile == Profile::kSeed) rig.choose(values);
  const auto spread = static_cast<double>(std::uint64_t{1} << 20U);
  for (double& v : values) v = static_cast<double>(rig.random(1U << 21U)) - spread;
  rig.choose(values);
  for (double& v : values) v = v / 7.0 + 1000.0;
  if (settings.profile == Profile::kSeed) rig.choose(values);
  return rig.faults();
}

Faults check_no_similarity(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  const auto x = rig.example();
  float most = 0.0F;
  for (const float value : x) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < rig.model.keys.size(); ++i) {
    const float key = -x[i % rig.model.stride] / most * 127.0F;
    rig.model.keys[i] = static_cast<std::int8_t>(std::lround(key));
  }
  rig.upload();
  rig.predict({x});
  rig.teach(x, 0, 1, Part::kBoth);
  auto opposite = x;
  for (float& value : opposite) value = -value;
  rig.teach_batch({x, opposite, x, opposite}, {0, 0, 0, 0});
  return rig.faults();
}

// What no embedding becomes, but bytes from elsewhere may hold.
Faults check_beyond(const EnsembleSettings& settings, std::uint64_t seed) {
  Rig rig(settings, seed);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float value : {1.0F, -1.0F, 1.5F, -1.5F, 1e9F, -1e9F, kInfinity, -kInfinity, kNan}) {
    auto x = rig.example();
    x[rig.random(settings.dimensions)] = value;
    rig.nearest(x);
  }
  return rig.faults();
}

std::vector<Scenario> quick_scenarios() {
  std::vector<Scenario> all;
  const auto add = [&](const char* name, Faults (*check)(const EnsembleSettings&, std::uint64_t),
                       const EnsembleSettings& s) {
    all.push_back({std::string(name) + " " + name_of(s.profile) + " " + name_of(s.store),
                   [check, s](std::uint64_t seed) { return check(s, seed); }});
  };
  for (const StoreType store : {StoreType::kInt16, StoreType::kHalf}) {
    for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
      const EnsembleSettings s = settings_for(profile, store, {70, 37, 50, 4});
      const EnsembleSettings wide = settings_for(profile, store, {9, 4, 300, 2});
      add("predict", check_predict, s);
      add("teach", check_teach, s);
      add("teach_batch", check_teach_batch, s);
      add("saturation", check_saturation, s);
      add("wide", check_teach_batch, wide);
      if (store == StoreType::kHalf) continue;
      add("ties", check_ties, settings_for(profile, store, {1100, 40, 8, 1}));
      if (profile == Profile::kDefault)
        add("norms", check_norms, settings_for(profile, store, {9, 4, 50, 40}));
      if (profile == Profile::kSeed) add("no_similarity", check_no_similarity, s);
      if (profile == Profile::kSeed) add("beyond", check_beyond, s);
      add("door", check_door, settings_for(profile, store, {1, 1, 46, 1}));
      add("many", check_predict, settings_for(profile, store, {150, 140, 33, 2}));
    }
  }
  return all;
}

}  // namespace jackdaw
