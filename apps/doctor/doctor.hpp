// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looks at the device and tells what it found, fit to be attached to an issue: no name of host or
// user, no address, and no path of a home folder is in it.
//
//   const Report report = examine(options, all_checks(), [](auto& check, auto at, auto of) {...});
//   std::fputs(report_text(report).c_str(), stdout);
//   return report.count(Outcome::kFailed) > 0 ? 1 : 0;

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "doctor/check.hpp"
#include "doctor/redaction.hpp"

namespace jackdaw::doctor {

struct CheckedFinding {
  Check check;
  Finding finding;
};

struct Report {
  bool quick = false;
  std::vector<CheckedFinding> findings;

  std::size_t count(Outcome outcome) const;
};

// Called before each check.
using Progress = std::function<void(const Check& check, std::size_t done, std::size_t total)>;

// Never throws for what a check does.
Report examine(const DoctorOptions& options, const std::vector<Check>& checks,
               const Redaction& redaction, const Progress& progress);

std::string report_text(const Report& report);
std::string report_json(const Report& report);  // docs/doctor.md has its fields

}  // namespace jackdaw::doctor
