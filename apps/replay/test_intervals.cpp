// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/test_intervals.hpp"

#include <algorithm>
#include <map>

namespace jackdaw::replay {

std::uint32_t test_interval(const Results& results, const Row& row) {
  return row.stream < results.streams.size() ? results.streams[row.stream].evaluate_every : 0;
}

bool tested_once(const Row& row) { return row.curves.batches.size() == 1; }

std::string test_intervals(const Results& results, const std::vector<const Row*>& rows) {
  std::map<std::uint32_t, std::vector<std::string>> groups;  // by interval
  for (const Row* row : rows) {
    std::vector<std::string>& of_interval = groups[test_interval(results, *row)];
    const std::string name = row->group.empty() ? "main" : row->group;
    if (std::find(of_interval.begin(), of_interval.end(), name) == of_interval.end()) {
      of_interval.push_back(name);
    }
  }
  std::string text;
  for (const auto& [interval, names] : groups) {
    text += (text.empty() ? "" : ", ") + std::to_string(interval);
    if (groups.size() == 1) break;
    for (const std::string& name : names) text += (name == names[0] ? " (" : ", ") + name;
    text += ")";
  }
  return text;
}

}  // namespace jackdaw::replay
