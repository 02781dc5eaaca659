// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/numbers.hpp"

#include <cmath>
#include <cstdio>

namespace jackdaw::replay::report {

std::string fixed(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  char text[64];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  const std::string shown = text;
  // No "-0.0".
  return shown.find_first_of("123456789") == std::string::npos && shown[0] == '-' ? shown.substr(1)
                                                                                  : shown;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::string text = fixed(value, 1);
  if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) text.resize(text.size() - 2);
  return text;
}

std::string whole(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string bytes(std::uint64_t value) {
  if (value < 1000) return std::to_string(value) + " B";
  const char* const units[] = {"kB", "MB", "GB", "TB"};
  auto scaled = static_cast<double>(value) / 1e3;
  std::size_t unit = 0;
  for (; scaled >= 999.5 && unit + 1 < 4; ++unit) scaled /= 1e3;
  return fixed(scaled, scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0) + " " + units[unit];
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds < 1.0) return fixed(seconds * 1e3, 0) + " ms";
  if (seconds < 120.0) return fixed(seconds, 1) + " s";
  const auto minutes = static_cast<std::uint64_t>(std::llround(seconds / 60.0));
  if (minutes < 120) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string microseconds(double seconds) {
  const double value = seconds * 1e6;
  return value > 0.0 ? fixed(value, value < 99.95 ? 1 : 0) : "–";
}

std::string plus_minus(const Spread& value) {
  return fixed(value.mean, 1) + (value.runs.size() > 1 ? " ± " + fixed(value.std, 1) : "");
}

}  // namespace jackdaw::replay::report
