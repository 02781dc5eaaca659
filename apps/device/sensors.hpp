// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Temperature, power mode and throttling of the device, from the files that Linux and JetPack keep.
//
//   for (const ThermalZone& zone : read_sensors("/").zones) show(zone.name, zone.celsius);
//
// What is not there is left out; nothing throws for it.

#include <optional>
#include <string>
#include <vector>

namespace jackdaw::device {

struct ThermalZone {
  std::string name;  // cpu-thermal, gpu-thermal, ...
  double celsius = 0.0;
  double slows_at = 0.0;  // degrees at which the system begins to lower clocks; 0: it does not say
};

// A device that takes heat away or makes less of it; a clock that was lowered is one.
struct CoolingDevice {
  std::string name;
  double state = 0.0, most = 0.0;  // 0: idle
};

struct CpuClock {
  std::string name;            // policy0, ...
  double highest_hertz = 0.0;  // of the hardware
  double allowed_hertz = 0.0;  // now, by power mode, heat or hand
};

struct GpuClock {
  std::string name;            // 17000000.gpu, ...
  double highest_hertz = 0.0;  // of the hardware; 0: the device does not say
  double allowed_hertz = 0.0;
  double current_hertz = 0.0;
};

struct PowerMode {
  int number = 0;
  std::string name;  // 15W, MAXN, ...; empty: the device does not say
};

struct DeviceSensors {
  std::vector<ThermalZone> zones;
  std::vector<CoolingDevice> coolers;
  std::vector<CpuClock> clocks;
  std::vector<GpuClock> gpu_clocks;
  std::optional<PowerMode> power_mode;
};

// `root`: the folder in which sys/, var/ and etc/ are found.
DeviceSensors read_sensors(const std::string& root);

}  // namespace jackdaw::device
