// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/doctor.hpp"

#include <algorithm>
#include <exception>

namespace jackdaw::doctor {
namespace {

Finding run(const Check& check, const DoctorOptions& options) {
  if (check.slow && options.quick) return not_run("left out by --quick");
  try {
    return check.run(options);
  } catch (const std::exception& error) {
    return failed(error.what(), "");
  }
}

}  // namespace

std::size_t Report::count(Outcome outcome) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const CheckedFinding& f) { return f.finding.outcome == outcome; }));
}

Report examine(const DoctorOptions& options, const std::vector<Check>& checks,
               const Redaction& redaction, const Progress& progress) {
  Report report;
  report.quick = options.quick;
  for (const Check& check : checks) {
    if (progress) progress(check, report.findings.size(), checks.size());
    Finding finding = run(check, options);
    finding.text = redaction.clean(finding.text);
    finding.advice = redaction.clean(finding.advice);
    redaction.clean(finding.facts);
    report.findings.push_back({check, std::move(finding)});
  }
  return report;
}

}  // namespace jackdaw::doctor
