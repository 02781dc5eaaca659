// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel is put through, as functions that return what went wrong. The tests require
// that nothing did; the mutation test requires that something did.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jackdaw/settings.hpp"

namespace jackdaw {

using Faults = std::vector<std::string>;

struct Size {
  std::uint32_t n, k, d, classes;
};

EnsembleSettings settings_for(Profile profile, StoreType store, const Size& size);

Faults check_predict(const EnsembleSettings& settings, std::uint64_t seed);
Faults check_teach(const EnsembleSettings& settings, std::uint64_t seed);  // teach, unteach, parts
Faults check_teach_batch(const EnsembleSettings& settings, std::uint64_t seed);
Faults check_saturation(const EnsembleSettings& settings, std::uint64_t seed);
Faults check_norms(const EnsembleSettings& settings, std::uint64_t seed);  // profile default
Faults check_ties(const EnsembleSettings& settings, std::uint64_t seed);  // top_k on made-up values
Faults check_no_similarity(const EnsembleSettings& settings, std::uint64_t seed);  // profile seed
Faults check_beyond(const EnsembleSettings& settings, std::uint64_t seed);  // profile seed: |x| > 1
Faults check_door(const EnsembleSettings& settings, std::uint64_t seed);    // door_check.cpp

struct Scenario {
  std::string name;
  std::function<Faults(std::uint64_t seed)> run;
};

// Small ones that together reach every line of every kernel.
std::vector<Scenario> quick_scenarios();

}  // namespace jackdaw
