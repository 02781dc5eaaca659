// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/schedule.hpp"

#include <cstdlib>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {
namespace {

// The number in "5way" or "shots:5"; 0 if it is none.
std::uint32_t number_in(const std::string& text) {
  if (text.empty() || text.size() > 6 ||
      text.find_first_not_of("0123456789") != std::string::npos) {
    return 0;
  }
  return static_cast<std::uint32_t>(std::atoi(text.c_str()));
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

std::unique_ptr<Schedule> make_schedule(const std::string& name, const ScheduleFiles& files) {
  constexpr std::uint32_t kLowDataBatch = 5;
  if (name == "iid") return make_split_schedule(name, 1, 0, "");
  if (name == "lowdata") return make_split_schedule(name, 5, kLowDataBatch, "");
  if (name == "gaussian") return make_gaussian_schedule();
  if (name == "unequal") {
    return make_shots_schedule(name, {5, 1000, 10, 500, 20, 200, 50, 100, 1000, 5});
  }
  if (name.rfind("file:", 0) == 0) return make_file_schedule(name.substr(5));
  if (name.rfind("shots:", 0) == 0) {
    if (const std::uint32_t shots = number_in(name.substr(6)); shots > 0) {
      return make_shots_schedule(name, {shots});
    }
  }
  if (ends_with(name, "way")) {
    if (const std::uint32_t ways = number_in(name.substr(0, name.size() - 3)); ways > 0) {
      return make_split_schedule(name, ways, 0, files.superclasses);
    }
  }
  throw SettingsError("there is no schedule \"" + name +
                      "\"; there are iid, 5way (or another number), gaussian, lowdata, shots:5 (or "
                      "another number), unequal, and file:SCHEDULE.json");
}

}  // namespace jackdaw::replay
