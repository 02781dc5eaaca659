// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/settings.hpp"

#include <cmath>

#include "core/store_view.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

void require_range(const char* name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
  if (value >= low && value <= high) return;
  throw SettingsError(std::string(name) + " is " + std::to_string(value) + "; it must be from " +
                      std::to_string(low) + " to " + std::to_string(high));
}

void require_number(const char* name, float value, float low, float high) {
  if (std::isfinite(value) && value >= low && value <= high) return;
  throw SettingsError(std::string(name) + " is " + std::to_string(value) + "; it must be from " +
                      std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace

void validate(const EnsembleSettings& s) {
  require_range("classifiers", s.classifiers, 1, 65536);
  require_range("nearest", s.nearest, 1, s.classifiers);
  require_range("dimensions", s.dimensions, 1, kMostDimensions);
  require_range("max_classes", s.max_classes, 1, 65536);
  require_range("contexts", s.contexts, 1, 64);
  require_range("max_batch", s.max_batch, 1, 4096);
  require_range("batch_threads", s.batch_threads, 1, 64);
  require_range("undo_depth", s.undo_depth, 0, 1U << 20U);
  if (s.profile != Profile::kDefault && s.profile != Profile::kSeed) {
    throw SettingsError("profile is not one of default, seed");
  }
  if (element_bytes(s.store) == 0) throw SettingsError("store is not one of int16, half, int32");
  require_number("default_rule.levels", s.default_rule.levels, 0.5F, 32.0F);
  require_number("default_rule.lambda", s.default_rule.lambda, 1e-3F, 1e6F);
  require_number("default_rule.prior_examples", s.default_rule.prior_examples, 1e-3F, 1e6F);
  require_number("default_rule.prior_variance", s.default_rule.prior_variance, 1e-3F, 1e3F);
  require_number("default_rule.shrink_examples", s.default_rule.shrink_examples, 1e-6F, 1e6F);
  require_number("default_rule.offset_examples", s.default_rule.offset_examples, 1e-3F, 1e6F);
  require_number("default_rule.pool_examples", s.default_rule.pool_examples, 1e-3F, 1e6F);
  require_number("default_rule.least_norm", s.default_rule.least_norm, 1e-6F, 1.0F);
  require_number("default_rule.temperature", s.default_rule.temperature, 1e-3F, 1e3F);
  require_number("seed_rule.learning_rate", s.seed_rule.learning_rate, 1e-9F, 1.0F);
  require_number("seed_rule.tau", s.seed_rule.tau, 1e-6F, 1e6F);
}

const char* name_of(Profile profile) noexcept {
  return profile == Profile::kSeed ? "seed" : "default";
}

const char* name_of(StoreType store) noexcept {
  switch (store) {
    case StoreType::kInt16:
      return "int16";
    case StoreType::kHalf:
      return "half";
    case StoreType::kInt32:
      return "int32";
  }
  return "unknown";
}

std::uint32_t element_bytes(StoreType store) noexcept {
  switch (store) {
    case StoreType::kInt16:
    case StoreType::kHalf:
      return 2;
    case StoreType::kInt32:
      return 4;
  }
  return 0;
}

std::int32_t element_limit(StoreType store) noexcept {
  switch (store) {
    case StoreType::kInt16:
      return 32767;
    case StoreType::kHalf:
      return 2047;
    case StoreType::kInt32:
      return 2147483647;
  }
  return 0;
}

}  // namespace jackdaw
