// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How numbers and tables look on a terminal.

#include <cstdint>
#include <string>
#include <vector>

namespace jackdaw::app {

std::string human_bytes(std::uint64_t bytes);  // "52.4 MB": decimal units, three digits
std::string fixed(double value, int digits);   // so many after the point

// Of a text that may hold a file's name: control characters other than a new line as \x1b, so that
// it cannot steer the terminal.
std::string printable(const std::string& text);

// Columns as wide as their widest cell; the first left-aligned, the others right-aligned.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace jackdaw::app
