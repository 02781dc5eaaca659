// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers as the report writes them.

#include <cstdint>
#include <string>

namespace jackdaw::doctor {

std::string fixed(double value, int digits);  // "18.3"
std::string gigabytes(std::uint64_t bytes);   // "61.4 GB", decimal; below 1 GB "512 MB"
std::string gigahertz(double hertz);          // "2.20 GHz"
std::string microseconds(double value);       // "715 us", from 10,000 on "12.3 ms"

}  // namespace jackdaw::doctor
