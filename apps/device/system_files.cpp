// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "device/system_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace jackdaw::device {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 64;  // of a kind

}  // namespace

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line)) return std::nullopt;  // some zones exist and cannot be read
  return line.substr(0, kLongestLine);
}

std::optional<double> number_in(const fs::path& path) {
  const auto line = first_line(path);
  if (!line) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(line->c_str(), &end);
  if (end == line->c_str()) return std::nullopt;
  return value;
}

std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code fault;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    if (entry->path().filename().string().compare(0, prefix.size(), prefix) == 0) {
      found.push_back(entry->path());
    }
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  found.resize(std::min(found.size(), kMostEntries));
  return found;
}

std::optional<std::string> value_of(const fs::path& path, const std::string& key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t end = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1);
    if (line.substr(0, end + 1) != key) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return std::nullopt;
}

}  // namespace jackdaw::device
