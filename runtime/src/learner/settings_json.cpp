// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "jackdaw/error.hpp"
#include "learner/learner_core.hpp"

namespace jackdaw {
namespace {

using nlohmann::json;

Profile profile_of(const std::string& name) {
  for (const Profile p : {Profile::kDefault, Profile::kSeed}) {
    if (name == name_of(p)) return p;
  }
  throw StateError("the state is of profile '" + name + "', which this version does not know");
}

StoreType store_of(const std::string& name) {
  for (const StoreType s : {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32}) {
    if (name == name_of(s)) return s;
  }
  throw StateError("the state's store is '" + name + "', which this version does not know");
}

// json would cut a number to size without a word.
template <class T>
void read(const json& from, const char* path, T& value) {
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool>) {
    if (!from.is_number_unsigned() || from.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
      throw SettingsError(std::string(path + 1) + " is not a whole number in range");
    }
  }
  from.get_to(value);
}

// Every field once, for writing and for reading: Settings is LearnerSettings or const of it.
template <class Settings, class Field>
void each_field(Settings& settings, const Field& field) {
  auto& e = settings.ensemble;
  field("/classifiers", e.classifiers);
  field("/nearest", e.nearest);
  field("/dimensions", e.dimensions);
  field("/max_classes", e.max_classes);
  field("/undo_depth", e.undo_depth);
  field("/seed", e.seed);
  field("/encoder", settings.encoder);
  field("/unknown_below", settings.answer.unknown_below);
  field("/default_rule/levels", e.default_rule.levels);
  field("/default_rule/lambda", e.default_rule.lambda);
  field("/default_rule/offset_examples", e.default_rule.offset_examples);
  field("/default_rule/prior_examples", e.default_rule.prior_examples);
  field("/default_rule/prior_variance", e.default_rule.prior_variance);
  field("/default_rule/shrink_examples", e.default_rule.shrink_examples);
  field("/default_rule/pool_examples", e.default_rule.pool_examples);
  field("/default_rule/least_norm", e.default_rule.least_norm);
  field("/default_rule/temperature", e.default_rule.temperature);
  field("/seed_rule/learning_rate", e.seed_rule.learning_rate);
  field("/seed_rule/tau", e.seed_rule.tau);
  field("/seed_rule/fan_in_of_paper", e.seed_rule.fan_in_of_paper);
}

}  // namespace

std::string settings_to_json(const LearnerSettings& settings) try {
  json all{{"profile", name_of(settings.ensemble.profile)},
           {"store", name_of(settings.ensemble.store)}};
  each_field(settings,
             [&](const char* path, const auto& value) { all[json::json_pointer(path)] = value; });
  return all.dump(1);
} catch (const json::exception& error) {
  throw SettingsError(std::string("the encoder's name must be UTF-8: ") + error.what());
}

LearnerSettings settings_from_json(Span<const std::byte> bytes, const std::string& file) {
  LearnerSettings settings;
  try {
    const char* text = reinterpret_cast<const char*>(bytes.data());
    const json all = json::parse(text, text + bytes.size());
    settings.ensemble.profile = profile_of(all.at("profile"));
    settings.ensemble.store = store_of(all.at("store"));
    each_field(settings, [&](const char* path, auto& value) {
      const json::json_pointer at(path);
      if (all.contains(at)) read(all.at(at), path, value);
    });
    validate(settings.ensemble);
  } catch (const json::exception& error) {
    throw StateError(file + ": its settings cannot be read: " + error.what());
  } catch (const SettingsError& error) {
    throw StateError(file + ": its settings are impossible: " + error.what());
  }
  return settings;
}

}  // namespace jackdaw
