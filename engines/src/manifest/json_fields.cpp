// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "manifest/json_fields.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "jackdaw/engines/manifest.hpp"

namespace jackdaw {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::size_t kLongestFileName = 255;

std::string shown(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

std::string shown(double number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << number;
  return text.str();
}

bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() <= kLongestFileName && name[0] != '.' &&
         name.find("..") == std::string::npos && std::none_of(name.begin(), name.end(), [](char c) {
           return c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
         });
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

json parse_strictly(const std::string& text, const std::string& origin) {
  std::vector<std::set<std::string>> open;  // the fields of each object that we are in
  const auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > kDeepest) {
      throw ManifestError(origin + ": it is nested more than " + std::to_string(kDeepest) +
                          " deep; a manifest is not");
    }
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key &&
        !open.back().insert(value.get_ref<const std::string&>()).second) {
      throw ManifestError(origin + ": the field " + shown(value) + " is there twice");
    }
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::exception& error) {
    throw ManifestError(origin + ": it is not JSON: " + error.what());
  }
}

Fields::Fields(const json& object, std::string origin, std::string path)
    : object_(object), origin_(std::move(origin)), path_(std::move(path)) {
  if (!object_.is_object()) {
    throw ManifestError(origin_ + ": " + (path_.empty() ? "it" : path_) + " is " + shown(object_) +
                        "; it must be an object {...}");
  }
}

void Fields::fail(const std::string& key, const std::string& what) const {
  throw ManifestError(origin_ + ": " + (path_.empty() ? "" : path_ + ".") + key + " " + what);
}

void Fields::refuse(const char* key, const json& value, const std::string& must) const {
  fail(key, "is " + shown(value) + "; it must be " + must);
}

const json& Fields::at(const char* key) {
  const auto found = object_.find(key);
  if (found == object_.end()) fail(key, "is missing");
  asked_.insert(key);
  return *found;
}

Fields Fields::object(const char* key) {
  return Fields(at(key), origin_, path_.empty() ? key : path_ + "." + key);
}

bool Fields::has(const char* key) const { return object_.contains(key); }

bool Fields::is_null(const char* key) { return at(key).is_null(); }

std::string Fields::text(const char* key) {
  const json& value = at(key);
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    refuse(key, value, "text that is not empty");
  }
  return value;
}

std::string Fields::file_name(const char* key) {
  const json& value = at(key);
  if (!value.is_string() || !is_file_name(value)) {
    refuse(key, value,
           "the name of a file next to the manifest, without slashes, \"..\" or a dot in front");
  }
  return value;
}

std::string Fields::sha256(const char* key) {
  const json& value = at(key);
  if (!value.is_string() || !is_sha256(value)) refuse(key, value, "a SHA-256 of 64 hex digits");
  std::string hash = value;
  std::transform(hash.begin(), hash.end(), hash.begin(),
                 [](char c) { return static_cast<char>(std::tolower(c)); });
  return hash;
}

std::string Fields::one_of(const char* key, const std::vector<std::string>& names) {
  const json& value = at(key);
  std::string list;
  for (const std::string& name : names) {
    if (value == name) return name;
    list += (list.empty() ? "\"" : " or \"") + name + "\"";
  }
  refuse(key, value, list);
}

bool Fields::truth(const char* key) {
  const json& value = at(key);
  if (!value.is_boolean()) refuse(key, value, "true or false");
  return value.get<bool>();
}

std::uint64_t Fields::whole(const char* key, std::uint64_t least, std::uint64_t most) {
  const json& value = at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most) {
    refuse(key, value,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

double Fields::number(const char* key, double least, double most) {
  const json& value = at(key);
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most)) {
    refuse(key, value, "a number from " + shown(least) + " to " + shown(most));
  }
  return value;
}

std::vector<float> Fields::numbers(const char* key, std::size_t count, float least, float most) {
  const json& list = at(key);
  if (!list.is_array()) refuse(key, list, "a list of numbers");
  if (list.size() != count) {
    fail(key, "has " + std::to_string(list.size()) + " numbers; it must have one for each of the " +
                  std::to_string(count) + " channels");
  }
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const json& value = list[i];
    const double number = value.is_number() ? value.get<double>() : 0.0;
    if (!value.is_number() || !(number >= double{least} && number <= double{most})) {
      refuse((key + ("[" + std::to_string(i) + "]")).c_str(), value,
             "a number from " + shown(double{least}) + " to " + shown(double{most}));
    }
    numbers.push_back(static_cast<float>(number));
  }
  return numbers;
}

void Fields::done() const {
  for (const auto& field : object_.items()) {
    if (asked_.count(field.key()) == 0) {
      fail(field.key(), "is not a field that this version knows; is it a typing error?");
    }
  }
}

}  // namespace jackdaw
