// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Power mode, clocks and temperatures: what every figure of speed depends on.
#include <algorithm>

#include "device/sensors.hpp"
#include "doctor/check.hpp"
#include "doctor/words.hpp"

namespace jackdaw::doctor {
namespace {

constexpr double kNear = 5.0;  // degrees below the point where clocks are lowered

nlohmann::json facts_of(const device::DeviceSensors& sensors) {
  nlohmann::json facts{{"power_mode", nullptr},
                       {"temperatures", nlohmann::json::array()},
                       {"cpu_clocks", nlohmann::json::array()},
                       {"gpu_clocks", nlohmann::json::array()}};
  if (sensors.power_mode) {
    facts["power_mode"] = {{"number", sensors.power_mode->number},
                           {"name", sensors.power_mode->name}};
  }
  for (const device::ThermalZone& zone : sensors.zones) {
    nlohmann::json one{{"zone", zone.name}, {"celsius", zone.celsius}, {"slows_at", nullptr}};
    if (zone.slows_at > 0.0) one["slows_at"] = zone.slows_at;
    facts["temperatures"].push_back(one);
  }
  for (const device::CpuClock& clock : sensors.clocks) {
    facts["cpu_clocks"].push_back({{"name", clock.name},
                                   {"highest_hertz", clock.highest_hertz},
                                   {"allowed_hertz", clock.allowed_hertz}});
  }
  for (const device::GpuClock& clock : sensors.gpu_clocks) {
    facts["gpu_clocks"].push_back({{"name", clock.name},
                                   {"highest_hertz", clock.highest_hertz},
                                   {"allowed_hertz", clock.allowed_hertz},
                                   {"current_hertz", clock.current_hertz}});
  }
  return facts;
}

// "CPU 1.51 of 2.20 GHz": the clock that is held back most stands for all.
template <class Clock>
std::string clock_text(const char* what, const std::vector<Clock>& clocks, bool& limited) {
  const auto share = [](const Clock& c) {
    return c.highest_hertz > 0.0 ? c.allowed_hertz / c.highest_hertz : 1.0;
  };
  const auto least =
      std::min_element(clocks.begin(), clocks.end(),
                       [&](const Clock& a, const Clock& b) { return share(a) < share(b); });
  if (least == clocks.end()) return {};
  const bool held = share(*least) < 0.999;
  limited = limited || held;
  return std::string(what) + " up to " +
         (held ? fixed(least->allowed_hertz / 1e9, 2) + " of " + gigahertz(least->highest_hertz)
               : gigahertz(least->allowed_hertz));
}

}  // namespace

Finding check_power(const DoctorOptions& options) {
  const device::DeviceSensors sensors = device::read_sensors(options.root);
  const nlohmann::json facts = facts_of(sensors);
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  };
  if (sensors.power_mode) {
    const std::string number = std::to_string(sensors.power_mode->number);
    add("power mode " + (sensors.power_mode->name.empty()
                             ? number
                             : sensors.power_mode->name + " (" + number + ")"));
  }
  bool limited = false;
  add(clock_text("CPU", sensors.clocks, limited));
  add(clock_text("GPU", sensors.gpu_clocks, limited));
  const auto hottest =
      std::max_element(sensors.zones.begin(), sensors.zones.end(),
                       [](const auto& a, const auto& b) { return a.celsius < b.celsius; });
  if (hottest != sensors.zones.end()) {
    add("hottest " + hottest->name + " at " + fixed(hottest->celsius, 0) + " degrees");
  }
  if (text.empty()) return not_run("this machine tells neither clocks nor temperatures", "", facts);
  for (const device::ThermalZone& zone : sensors.zones) {
    if (zone.slows_at > 0.0 && zone.celsius >= zone.slows_at - kNear) {
      return warning(text + "; " + zone.name + " is at " + fixed(zone.celsius, 0) +
                         " degrees, and clocks are lowered at " + fixed(zone.slows_at, 0),
                     "cool the device; while it is that hot no figure of speed below means much",
                     facts);
    }
  }
  Finding found = ok(text, facts);
  if (limited && sensors.power_mode) {
    found.advice =
        "slower than the board can: 'sudo nvpmodel -q --verbose' lists the modes, 'sudo nvpmodel "
        "-m NUMBER' sets one";
  }
  return found;
}

}  // namespace jackdaw::doctor
