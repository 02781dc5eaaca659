// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/report.hpp"

#include <utility>

namespace jackdaw::emulation {
namespace {

constexpr std::size_t kKept = 8;
std::vector<Report> reports;

}  // namespace

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::kSharedRace:
      return "shared race";
    case Fault::kGlobalRace:
      return "global race";
    case Fault::kDivergence:
      return "barrier divergence";
    case Fault::kWarp:
      return "warp operation";
    case Fault::kUninitialised:
      return "uninitialised read";
    case Fault::kOutOfBounds:
      return "out of bounds";
    case Fault::kMisaligned:
      return "misaligned";
    case Fault::kGuard:
      return "guard bytes";
    case Fault::kBadLaunch:
      return "bad launch";
  }
  return "?";
}

void report(Fault fault, const std::string& text) {
  if (reports.size() < kKept) reports.push_back({fault, text});
}

std::vector<Report> take_reports() { return std::exchange(reports, {}); }

}  // namespace jackdaw::emulation
