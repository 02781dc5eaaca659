// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/doctor.hpp"
#include "jackdaw/version.hpp"

namespace jackdaw::doctor {
namespace {

using json = nlohmann::ordered_json;

constexpr int kFormat = 1;  // a field that goes or changes its meaning makes another

const char* key_of(Outcome outcome) {
  return outcome == Outcome::kNotRun ? "not_run" : name_of(outcome);
}

}  // namespace

std::string report_json(const Report& report) {
  json out{{"format", kFormat}, {"version", kVersion}, {"quick", report.quick}};
  for (const Outcome outcome :
       {Outcome::kOk, Outcome::kWarning, Outcome::kFailed, Outcome::kNotRun}) {
    out["counts"][key_of(outcome)] = report.count(outcome);
  }
  out["findings"] = json::array();
  for (const CheckedFinding& f : report.findings) {
    out["findings"].push_back({{"check", f.check.name},
                               {"outcome", key_of(f.finding.outcome)},
                               {"text", f.finding.text},
                               {"advice", f.finding.advice},
                               {"facts", f.finding.facts}});
  }
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace jackdaw::doctor
