// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/device_sensors.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace jackdaw::live {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 64;  // of a kind
constexpr std::size_t kLongestName = 64;

std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  if (!in || !std::getline(in, line)) return std::nullopt;  // some zones exist and cannot be read
  return line.substr(0, kLongestName);
}

std::optional<double> number_in(const fs::path& path) {
  const auto line = first_line(path);
  if (!line) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(line->c_str(), &end);
  if (end == line->c_str()) return std::nullopt;
  return value;
}

// The entries whose name begins so, in order of their number.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder, fault)) {
    if (entry.path().filename().string().compare(0, prefix.size(), prefix) == 0) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string(), y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  found.resize(std::min(found.size(), kMostEntries));
  return found;
}

// nvpmodel keeps "pmode:0002" and describes each mode as "< POWER_MODEL ID=2 NAME=15W >".
std::optional<PowerMode> power_mode(const fs::path& root) {
  const auto status = first_line(root / "var/lib/nvpmodel/status");
  const std::string key = "pmode:";
  if (!status || status->compare(0, key.size(), key) != 0) return std::nullopt;
  PowerMode mode;
  mode.number = std::atoi(status->c_str() + key.size());
  std::ifstream in(root / "etc/nvpmodel.conf");
  for (std::string line; std::getline(in, line);) {
    const std::size_t id = line.find("ID="), name = line.find("NAME=");
    if (line.find("POWER_MODEL") == std::string::npos || line.find('#') < id ||
        id == std::string::npos || name == std::string::npos ||
        std::atoi(line.c_str() + id + 3) != mode.number) {
      continue;
    }
    const std::size_t begin = name + 5, end = line.find_first_of(" \t>", begin);
    mode.name =
        line.substr(begin, end == std::string::npos ? end : end - begin).substr(0, kLongestName);
    break;
  }
  return mode;
}

}  // namespace

DeviceSensors read_sensors(const std::string& root_text) {
  const fs::path root(root_text);
  DeviceSensors out;
  for (const fs::path& zone : entries(root / "sys/class/thermal", "thermal_zone")) {
    const auto milli = number_in(zone / "temp");
    if (milli)
      out.zones.push_back(
          {first_line(zone / "type").value_or(zone.filename().string()), *milli / 1e3});
  }
  for (const fs::path& cooler : entries(root / "sys/class/thermal", "cooling_device")) {
    const auto state = number_in(cooler / "cur_state"), most = number_in(cooler / "max_state");
    if (state && most) {
      out.coolers.push_back(
          {first_line(cooler / "type").value_or(cooler.filename().string()), *state, *most});
    }
  }
  for (const fs::path& policy : entries(root / "sys/devices/system/cpu/cpufreq", "policy")) {
    const auto highest = number_in(policy / "cpuinfo_max_freq"),
               allowed = number_in(policy / "scaling_max_freq");  // kHz
    if (highest && allowed) {
      out.clocks.push_back({policy.filename().string(), *highest * 1e3, *allowed * 1e3});
    }
  }
  out.power_mode = power_mode(root);
  return out;
}

}  // namespace jackdaw::live
