// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The small text files in which Linux tells about the device. What is not there or cannot be read
// is nullopt; nothing throws for it.
//
//   const auto milli = number_in(root / "sys/class/thermal/thermal_zone0/temp");

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace jackdaw::device {

constexpr std::size_t kLongestLine = 64;  // of a name; a file may hold anything

std::optional<std::string> first_line(const std::filesystem::path& path);
std::optional<double> number_in(const std::filesystem::path& path);

// The entries whose name begins so, in order of their number; at most 64.
std::vector<std::filesystem::path> entries(const std::filesystem::path& folder,
                                           const std::string& prefix);

// The value behind "KEY : value" of the first line that has one, as in /proc/cpuinfo.
std::optional<std::string> value_of(const std::filesystem::path& path, const std::string& key);

}  // namespace jackdaw::device
