// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "doctor/words.hpp"

#include <cstdio>

namespace jackdaw::doctor {

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string gigabytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  return value < 1e9 ? fixed(value / 1e6, 0) + " MB" : fixed(value / 1e9, 1) + " GB";
}

std::string gigahertz(double hertz) { return fixed(hertz / 1e9, 2) + " GHz"; }

std::string microseconds(double value) {
  if (value >= 1e4) return fixed(value / 1e3, 1) + " ms";
  return fixed(value, value < 100.0 ? 1 : 0) + " us";
}

}  // namespace jackdaw::doctor
