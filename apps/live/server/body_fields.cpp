// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/body_fields.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "jackdaw/label.hpp"

namespace jackdaw::live {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestShownKey = 40;

std::string shown(const std::string& key) {
  return '"' + (key.size() <= kLongestShownKey ? key : key.substr(0, kLongestShownKey) + "...") +
         '"';
}

std::string shown(double value) {
  std::string text = json(value).dump();
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

json parse(std::string_view text) {
  // The parser takes a NUL for the end of its input and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw BadRequest("The body is not JSON: something is wrong at byte " + std::to_string(nul + 1) +
                     ".");
  }
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start || event == json::parse_event_t::array_start) {
      if (depth >= BodyFields::kDeepest) throw BadRequest("The body is nested too deeply.");
    }
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys.back().insert(key).second)
        throw BadRequest("The field " + shown(key) + " is there twice.");
    }
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), watch);
  } catch (const json::parse_error& error) {
    throw BadRequest("The body is not JSON: something is wrong at byte " +
                     std::to_string(error.byte) + ".");
  } catch (const json::exception&) {
    throw BadRequest("The body is not JSON: a number in it is too large.");
  }
}

}  // namespace

BodyFields::BodyFields(std::string_view text) {
  object_ = std::make_unique<const json>(parse(text));
  if (!object_->is_object()) throw BadRequest("The body must be a JSON object, such as {}.");
}

BodyFields::~BodyFields() = default;

bool BodyFields::has(const char* key) {
  asked_.insert(key);
  return object_->contains(key);
}

const json& BodyFields::at(const char* key) {
  if (!has(key)) throw BadRequest("The field " + shown(key) + " is missing.");
  return (*object_)[key];
}

std::string BodyFields::name(const char* key) {
  const json& value = at(key);
  if (!value.is_string()) throw BadRequest("The field " + shown(key) + " must be a text.");
  const auto& text = value.get_ref<const std::string&>();
  if (Label(text).empty()) {
    throw BadRequest("The field " + shown(key) + " must be 1 to " +
                     std::to_string(Label::kMostBytes) +
                     " bytes of UTF-8 without control characters.");
  }
  return text;
}

std::uint64_t BodyFields::whole(const char* key, std::uint64_t least, std::uint64_t most) {
  const json& value = at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most) {
    throw BadRequest("The field " + shown(key) + " must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + ".");
  }
  return value.get<std::uint64_t>();
}

double BodyFields::number(const char* key, double least, double most) {
  const json& value = at(key);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= least && number <= most)) {  // false for NaN
    throw BadRequest("The field " + shown(key) + " must be a number from " + shown(least) + " to " +
                     shown(most) + ".");
  }
  return number;
}

void BodyFields::done() const {
  for (const auto& [key, value] : object_->items()) {
    if (asked_.count(key) == 0) throw BadRequest("There is no field " + shown(key) + " here.");
  }
}

}  // namespace jackdaw::live
