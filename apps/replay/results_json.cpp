// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/results_json.hpp"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "replay/results_fields.hpp"

namespace jackdaw::replay {
namespace {

using json = nlohmann::ordered_json;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
json written(const T& value) {
  if constexpr (std::is_same_v<T, Profile> || std::is_same_v<T, StoreType>) {
    return name_of(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? json(value) : json();
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (IsVector<T>::value) {
    json out = json::array();
    for (const auto& element : value) out.push_back(written(element));
    return out;
  } else if constexpr (IsOptional<T>::value) {
    return value ? written(*value) : json();
  } else {
    json out = json::object();
    each_field(value, [&](const char* name, const auto& field) { out[name] = written(field); });
    return out;
  }
}

[[noreturn]] void fail(const char* name, const char* what) {
  throw ResultsError(std::string(name) + " " + what);
}

template <class T>
T named(const json& from, const char* name, std::initializer_list<T> all) {
  for (const T one : all) {
    if (from == name_of(one)) return one;
  }
  fail(name, "has a value that this version does not know");
}

template <class T>
void read(const json& from, const char* name, T& value) {
  if constexpr (std::is_same_v<T, Profile>) {
    value = named(from, name, {Profile::kDefault, Profile::kSeed});
  } else if constexpr (std::is_same_v<T, StoreType>) {
    value = named(from, name, {StoreType::kInt16, StoreType::kHalf, StoreType::kInt32});
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!from.is_boolean()) fail(name, "is not true or false");
    value = from.get<bool>();
  } else if constexpr (std::is_unsigned_v<T>) {
    if (!from.is_number_unsigned() || from.get<std::uint64_t>() > std::numeric_limits<T>::max()) {
      fail(name, "is not a whole number in range");
    }
    value = from.get<T>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!from.is_number() && !from.is_null()) fail(name, "is not a number");
    value = from.is_null() ? std::numeric_limits<T>::quiet_NaN() : from.get<T>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!from.is_string()) fail(name, "is not a text");
    value = from.get<std::string>();
  } else if constexpr (IsVector<T>::value) {
    if (!from.is_array()) fail(name, "is not a list");
    value.clear();
    for (const json& element : from) read(element, name, value.emplace_back());
  } else if constexpr (IsOptional<T>::value) {
    value.reset();
    if (!from.is_null()) read(from, name, value.emplace());
  } else {
    if (!from.is_object()) fail(name, "is not an object");
    each_field(value, [&](const char* field_name, auto& field) {
      if (from.contains(field_name)) {
        read(from.at(field_name), field_name, field);
      } else if constexpr (std::is_same_v<T, DefaultRule>) {
        field = std::numeric_limits<float>::quiet_NaN();  // of another version's rule: not ours
      }
    });
  }
}

}  // namespace

std::string to_json(const Results& results) {
  json out = {{"schema", Results::kSchema}};
  try {
    const json tree = written(results);
    for (const auto& [name, value] : tree.items()) out[name] = value;
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
      const auto& unknown = results.rows[i].unknown;
      out["rows"][i]["unknown_auroc"] = unknown ? json(unknown->auroc) : json();
    }
    return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  } catch (const json::exception& error) {
    throw ResultsError(std::string("the results cannot be written as JSON: ") + error.what());
  }
}

Results from_json(const std::string& text, const std::string& name) {
  Results results;
  try {
    const json all = json::parse(text);
    if (!all.is_object() || !all.contains("schema")) fail("schema", "is missing");
    if (all.at("schema") != Results::kSchema) {
      fail("schema", "is not 1: these results are of another version");
    }
    if (!all.contains("rows")) fail("rows", "are missing");
    read(all, "results", results);
  } catch (const json::exception& error) {
    throw ResultsError(name + ": these are no results: " + error.what());
  } catch (const ResultsError& error) {
    throw ResultsError(name + ": " + error.what());
  }
  return results;
}

bool same_settings(const EnsembleSettings& a, const EnsembleSettings& b) {
  return written(a) == written(b);
}

void write_results(const Results& results, const std::string& path) {
  write_whole_file(path, to_json(results));
}

Results read_results(const std::string& path) { return from_json(read_whole_file(path), path); }

}  // namespace jackdaw::replay
