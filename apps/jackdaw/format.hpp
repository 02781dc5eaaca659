// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How numbers, tables and what the program says look on a terminal.

#include <cstdint>
#include <string>
#include <vector>

namespace jackdaw::app {

std::string human_bytes(std::uint64_t bytes);  // "52.4 MB": decimal units, three digits
std::string fixed(double value, int digits);   // so many after the point

// "jackdaw: ..." on standard error. Control characters other than a new line become \x1b, so that a
// file's name in it cannot steer the terminal.
void say(const std::string& text);

// Columns as wide as their widest cell; the first left-aligned, the others right-aligned.
void print_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace jackdaw::app
