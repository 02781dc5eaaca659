// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "device/sensors.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "device/system_files.hpp"

namespace jackdaw::device {
namespace {

namespace fs = std::filesystem;

// JetPack names the GPU's clock after its address and chip.
bool names_gpu(const std::string& name) {
  for (const char* word : {"gpu", "ga10b", "gv11b", "gb10b"}) {
    if (name.find(word) != std::string::npos) return true;
  }
  return false;
}

// "114750000 216750000 ...": the last one.
double highest_of(const fs::path& path) {
  std::ifstream in(path);
  double highest = 0.0;
  for (double hertz = 0.0; in >> hertz;) highest = std::max(highest, hertz);
  return highest;
}

// Of the zone's points at which the system makes less heat, or ends; fans ("active") do neither.
double lowest_trip(const fs::path& zone) {
  double lowest = 0.0;
  for (int i = 0; i < 16; ++i) {
    const std::string point = "trip_point_" + std::to_string(i);
    const auto type = first_line(zone / (point + "_type"));
    if (!type) break;
    const auto milli = number_in(zone / (point + "_temp"));
    if (*type == "active" || !milli || *milli <= 0.0) continue;
    lowest = lowest == 0.0 ? *milli / 1e3 : std::min(lowest, *milli / 1e3);
  }
  return lowest;
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
        line.substr(begin, end == std::string::npos ? end : end - begin).substr(0, kLongestLine);
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
    if (milli) {
      out.zones.push_back({first_line(zone / "type").value_or(zone.filename().string()),
                           *milli / 1e3, lowest_trip(zone)});
    }
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
  for (const fs::path& clock : entries(root / "sys/class/devfreq", "")) {
    const auto current = number_in(clock / "cur_freq"), allowed = number_in(clock / "max_freq");
    if (names_gpu(clock.filename().string()) && current && allowed) {
      out.gpu_clocks.push_back({clock.filename().string(),
                                highest_of(clock / "available_frequencies"), *allowed, *current});
    }
  }
  out.power_mode = power_mode(root);
  return out;
}

}  // namespace jackdaw::device
