// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <nlohmann/json.hpp>

#include "jackdaw/error.hpp"
#include "learner/learner_core.hpp"

namespace jackdaw {
namespace {

using nlohmann::json;

template <class T>
void read(const json& from, const char* name, T& value) {
  const auto found = from.find(name);
  if (found != from.end()) found->get_to(value);
}

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

}  // namespace

std::string settings_to_json(const LearnerSettings& settings) try {
  const EnsembleSettings& e = settings.ensemble;
  const DefaultRule& d = e.default_rule;
  return json{{"profile", name_of(e.profile)},
              {"classifiers", e.classifiers},
              {"nearest", e.nearest},
              {"dimensions", e.dimensions},
              {"max_classes", e.max_classes},
              {"store", name_of(e.store)},
              {"undo_depth", e.undo_depth},
              {"seed", e.seed},
              {"encoder", settings.encoder},
              {"unknown_below", settings.answer.unknown_below},
              {"default_rule",
               {{"levels", d.levels},
                {"lambda", d.lambda},
                {"offset_examples", d.offset_examples},
                {"prior_examples", d.prior_examples},
                {"prior_variance", d.prior_variance},
                {"shrink_dimensions", d.shrink_dimensions},
                {"pool_examples", d.pool_examples},
                {"least_norm", d.least_norm},
                {"temperature", d.temperature}}},
              {"seed_rule",
               {{"learning_rate", e.seed_rule.learning_rate},
                {"tau", e.seed_rule.tau},
                {"fan_in_of_paper", e.seed_rule.fan_in_of_paper}}}}
      .dump(1);
} catch (const json::exception& error) {
  throw SettingsError(std::string("the encoder's name must be UTF-8: ") + error.what());
}

LearnerSettings settings_from_json(Span<const std::byte> bytes) {
  LearnerSettings settings;
  EnsembleSettings& e = settings.ensemble;
  try {
    const char* text = reinterpret_cast<const char*>(bytes.data());
    const json all = json::parse(text, text + bytes.size());
    e.profile = profile_of(all.at("profile"));
    e.store = store_of(all.at("store"));
    read(all, "classifiers", e.classifiers);
    read(all, "nearest", e.nearest);
    read(all, "dimensions", e.dimensions);
    read(all, "max_classes", e.max_classes);
    read(all, "undo_depth", e.undo_depth);
    read(all, "seed", e.seed);
    read(all, "encoder", settings.encoder);
    read(all, "unknown_below", settings.answer.unknown_below);
    const json rule = all.value("default_rule", json::object());
    DefaultRule& d = e.default_rule;
    read(rule, "levels", d.levels);
    read(rule, "lambda", d.lambda);
    read(rule, "offset_examples", d.offset_examples);
    read(rule, "prior_examples", d.prior_examples);
    read(rule, "prior_variance", d.prior_variance);
    read(rule, "shrink_dimensions", d.shrink_dimensions);
    read(rule, "pool_examples", d.pool_examples);
    read(rule, "least_norm", d.least_norm);
    read(rule, "temperature", d.temperature);
    const json seed = all.value("seed_rule", json::object());
    read(seed, "learning_rate", e.seed_rule.learning_rate);
    read(seed, "tau", e.seed_rule.tau);
    read(seed, "fan_in_of_paper", e.seed_rule.fan_in_of_paper);
    validate(e);
  } catch (const json::exception& error) {
    throw StateError(std::string("the settings in the state cannot be read: ") + error.what());
  } catch (const SettingsError& error) {
    throw StateError(std::string("the settings in the state are impossible: ") + error.what());
  }
  return settings;
}

}  // namespace jackdaw
