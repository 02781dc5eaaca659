// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/settings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

// The message, or nothing if the settings are accepted.
std::string refusal(const EnsembleSettings& settings) {
  try {
    validate(settings);
  } catch (const SettingsError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Count {
  const char* name;
  std::uint32_t EnsembleSettings::*field;
  std::uint32_t least, most;
};

constexpr Count kCounts[] = {
    {"classifiers", &EnsembleSettings::classifiers, 1, 65536},
    {"dimensions", &EnsembleSettings::dimensions, 1, 8192},
    {"max_classes", &EnsembleSettings::max_classes, 1, 65536},
    {"contexts", &EnsembleSettings::contexts, 1, 64},
    {"max_batch", &EnsembleSettings::max_batch, 1, 4096},
    {"batch_threads", &EnsembleSettings::batch_threads, 1, 64},
    {"undo_depth", &EnsembleSettings::undo_depth, 0, 1048576},
};

struct Number {
  const char* name;
  std::function<float&(EnsembleSettings&)> field;
  float least, most;
};

const Number kNumbers[] = {
    {"default_rule.levels", [](auto& s) -> float& { return s.default_rule.levels; }, 0.5F, 32.0F},
    {"default_rule.lambda", [](auto& s) -> float& { return s.default_rule.lambda; }, 1e-3F, 1e6F},
    {"default_rule.offset_examples",
     [](auto& s) -> float& { return s.default_rule.offset_examples; }, 1e-3F, 1e6F},
    {"default_rule.prior_examples", [](auto& s) -> float& { return s.default_rule.prior_examples; },
     1e-3F, 1e6F},
    {"default_rule.prior_variance", [](auto& s) -> float& { return s.default_rule.prior_variance; },
     1e-3F, 1e3F},
    {"default_rule.shrink_examples",
     [](auto& s) -> float& { return s.default_rule.shrink_examples; }, 1e-6F, 1e6F},
    {"default_rule.pool_examples", [](auto& s) -> float& { return s.default_rule.pool_examples; },
     1e-3F, 1e6F},
    {"default_rule.least_norm", [](auto& s) -> float& { return s.default_rule.least_norm; }, 1e-6F,
     1.0F},
    {"default_rule.temperature", [](auto& s) -> float& { return s.default_rule.temperature; },
     1e-3F, 1e3F},
    {"seed_rule.learning_rate", [](auto& s) -> float& { return s.seed_rule.learning_rate; }, 1e-9F,
     1.0F},
    {"seed_rule.tau", [](auto& s) -> float& { return s.seed_rule.tau; }, 1e-6F, 1e6F},
};

TEST_CASE("the settings as they come are valid in both profiles and all stores") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    for (const StoreType store : {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32}) {
      EnsembleSettings s;
      s.profile = profile;
      s.store = store;
      CHECK(refusal(s) == "");
    }
  }
}

TEST_CASE(
    "a count is accepted up to its bounds, and one beyond them the error names it, the value "
    "and the range") {
  for (const Count& count : kCounts) {
    CAPTURE(std::string(count.name));
    EnsembleSettings s;
    s.nearest = 1;
    for (const std::uint32_t good : {count.least, count.most}) {
      s.*count.field = good;
      CHECK(refusal(s) == "");
    }
    const std::string range =
        "from " + std::to_string(count.least) + " to " + std::to_string(count.most);
    s.*count.field = count.most + 1;
    CHECK(refusal(s) == std::string(count.name) + " is " + std::to_string(count.most + 1) +
                            "; it must be " + range);
    if (count.least == 0) continue;
    s.*count.field = 0;
    CHECK(refusal(s) == std::string(count.name) + " is 0; it must be " + range);
  }
}

TEST_CASE("k lies between 1 and n") {
  EnsembleSettings s;
  s.classifiers = 37;
  for (const std::uint32_t good : {1U, 36U, 37U}) {
    s.nearest = good;
    CHECK(refusal(s) == "");
  }
  s.nearest = 38;
  CHECK(refusal(s) == "nearest is 38; it must be from 1 to 37");
  s.nearest = 0;
  CHECK(refusal(s) == "nearest is 0; it must be from 1 to 37");
}

TEST_CASE(
    "a number of a rule is accepted up to its bounds; beyond them, or not finite, the error "
    "names it, the value and the range") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const Number& number : kNumbers) {
    CAPTURE(std::string(number.name));
    EnsembleSettings s;
    for (const float good : {number.least, number.most}) {
      number.field(s) = good;
      CHECK(refusal(s) == "");
    }
    const float bad[] = {std::nextafter(number.least, -kInfinity),
                         std::nextafter(number.most, kInfinity),
                         0.0F,
                         -1.0F,
                         kInfinity,
                         -kInfinity,
                         std::numeric_limits<float>::quiet_NaN()};
    for (const float value : bad) {
      CAPTURE(value);
      number.field(s) = value;
      const std::string text = refusal(s);
      CHECK(contains(text, std::string(number.name) + " is " + std::to_string(value)));
      CHECK(contains(
          text, "from " + std::to_string(number.least) + " to " + std::to_string(number.most)));
    }
  }
}

TEST_CASE("a profile or a store that does not exist is refused") {
  EnsembleSettings s;
  s.profile = static_cast<Profile>(2);
  CHECK(contains(refusal(s), "profile"));
  s = {};
  s.store = static_cast<StoreType>(3);
  CHECK(contains(refusal(s), "store"));
}

TEST_CASE("every store says how wide and how far its elements reach") {
  CHECK(element_bytes(StoreType::kInt16) == 2);
  CHECK(element_bytes(StoreType::kHalf) == 2);
  CHECK(element_bytes(StoreType::kInt32) == 4);
  CHECK(element_limit(StoreType::kInt16) == 32767);
  CHECK(element_limit(StoreType::kHalf) == 2047);
  CHECK(element_limit(StoreType::kInt32) == 2147483647);
}

}  // namespace
}  // namespace jackdaw
