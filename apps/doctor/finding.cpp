// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/finding.hpp"

#include <utility>

namespace jackdaw::doctor {

const char* name_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kWarning:
      return "warning";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kNotRun:
      break;
  }
  return "not run";
}

Finding ok(std::string text, nlohmann::json facts) {
  return {Outcome::kOk, std::move(text), "", std::move(facts)};
}

Finding warning(std::string text, std::string advice, nlohmann::json facts) {
  return {Outcome::kWarning, std::move(text), std::move(advice), std::move(facts)};
}

Finding failed(std::string text, std::string advice, nlohmann::json facts) {
  return {Outcome::kFailed, std::move(text), std::move(advice), std::move(facts)};
}

Finding not_run(std::string why, std::string advice, nlohmann::json facts) {
  return {Outcome::kNotRun, std::move(why), std::move(advice), std::move(facts)};
}

}  // namespace jackdaw::doctor
