// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one check found: an outcome, a sentence for people, what to do, and the same as data.
//
//   return ok("61.4 of 64.1 GB are free", {{"total_bytes", total}});
//   return failed("no room in " + folder, "free at least 1 GB", {{"free_bytes", free}});

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace jackdaw::doctor {

enum class Outcome : std::uint8_t { kOk, kWarning, kFailed, kNotRun };

const char* name_of(Outcome outcome) noexcept;  // "ok", "warning", "failed", "not run"

struct Finding {
  Outcome outcome = Outcome::kOk;
  std::string text;
  std::string advice;  // empty: nothing to do
  nlohmann::json facts = nlohmann::json::object();
};

Finding ok(std::string text, nlohmann::json facts = nlohmann::json::object());
Finding warning(std::string text, std::string advice,
                nlohmann::json facts = nlohmann::json::object());
Finding failed(std::string text, std::string advice,
               nlohmann::json facts = nlohmann::json::object());
// why: the text; it is printed after "not run".
Finding not_run(std::string why, std::string advice = "",
                nlohmann::json facts = nlohmann::json::object());

}  // namespace jackdaw::doctor
