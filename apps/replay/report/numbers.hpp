// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers as people read them. What is not a number becomes a dash.

#include <cstdint>
#include <string>

#include "replay/results.hpp"

namespace jackdaw::replay::report {

std::string fixed(double value, int digits);
std::string coordinate(double value);         // for SVG: at most one digit, "12.5", "3"
std::string whole(std::uint64_t value);       // "60,000"
std::string bytes(std::uint64_t value);       // "52.4 MB": decimal units, three digits
std::string duration(double seconds);         // "3 h 12 min", "48.2 s", "310 ms"
std::string microseconds(double seconds);     // "12.3"; "–" of 0
std::string plus_minus(const Spread& value);  // "93.2 ± 0.4"; of one run "93.2"

}  // namespace jackdaw::replay::report
