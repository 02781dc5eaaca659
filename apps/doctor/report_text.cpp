// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <string>

#include "doctor/doctor.hpp"
#include "jackdaw/version.hpp"

namespace jackdaw::doctor {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kIndent = 30;  // where the sentences begin

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

// Broken between words; the first line is already indented.
std::string wrapped(const std::string& text) {
  std::string out, line;
  const auto end_line = [&] {
    out += line + "\n" + std::string(kIndent, ' ');
    line.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find_first_of(" \n", at);
    if (end == std::string::npos) end = text.size();
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && kIndent + line.size() + 1 + word.size() > kWidth) end_line();
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return out + line + "\n";
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what;
}

}  // namespace

std::string report_text(const Report& report) {
  std::string out = std::string("jackdaw ") + kVersion + " looked at this device" +
                    (report.quick ? ", quickly" : "") + "\n";
  std::string group;
  for (const CheckedFinding& f : report.findings) {
    if (group != f.check.group) {
      group = f.check.group;
      out += "\n" + group + "\n";
    }
    out += "  " + padded(name_of(f.finding.outcome), 9) + padded(f.check.title, kIndent - 12) + " ";
    out += wrapped(f.finding.text);
    if (!f.finding.advice.empty()) {
      out += std::string(kIndent, ' ') + wrapped("-> " + f.finding.advice);
    }
  }
  return out + "\n" + counted(report.count(Outcome::kOk), "ok, ") +
         counted(report.count(Outcome::kWarning),
                 report.count(Outcome::kWarning) == 1 ? "warning, " : "warnings, ") +
         counted(report.count(Outcome::kFailed), "failed, ") +
         counted(report.count(Outcome::kNotRun), "not run\n");
}

}  // namespace jackdaw::doctor
