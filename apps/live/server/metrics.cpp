// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/metrics.hpp"

#include <cmath>
#include <cstdio>

#include "jackdaw/version.hpp"

namespace jackdaw::live {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string label(const char* name, const std::string& value) {
  std::string out = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || c == '"') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

class Page {
 public:
  // One family; its samples follow.
  Page& family(const char* name, const char* type, const char* help) {
    name_ = std::string("jackdaw_") + name;
    text_ += "# HELP " + name_ + ' ' + help + "\n# TYPE " + name_ + ' ' + type + '\n';
    return *this;
  }
  Page& sample(double value, const std::string& labels = "") {
    return line(number_text(value), labels);
  }
  Page& sample(std::uint64_t value, const std::string& labels = "") {
    return line(std::to_string(value), labels);
  }
  std::string take() { return std::move(text_); }

 private:
  Page& line(const std::string& value, const std::string& labels) {
    text_ += name_ + (labels.empty() ? "" : '{' + labels + '}') + ' ' + value + '\n';
    return *this;
  }
  std::string name_, text_;
};

void session_metrics(Page& page, const State& state, const Moment& moment) {
  page.family("build_info", "gauge", "The program's version; always 1.")
      .sample(1.0, label("version", kVersion));
  page.family("frames_answered_total", "counter", "Frames that were answered.")
      .sample(moment.answered);
  page.family("frames_dropped_total", "counter",
              "Frames that were dropped on purpose because newer ones were there.")
      .sample(moment.dropped);
  page.family("frames_bad_total", "counter", "Frames that could not be used.")
      .sample(moment.bad_frames);
  page.family("lessons_total", "counter", "Lessons taught, variations counted.")
      .sample(moment.lessons);
  page.family("variations_dropped_total", "counter",
              "Variations of taught frames that were left out for want of time.")
      .sample(moment.dropped_variations);
  page.family("frame_rate_hertz", "gauge", "Frames a second.")
      .sample(moment.captured_rate, label("stage", "captured"))
      .sample(moment.answered_rate, label("stage", "answered"));
  const StageMilliseconds& stages = moment.milliseconds;
  page.family("stage_seconds", "gauge", "How long one frame takes in each stage, smoothed.")
      .sample(stages.capture / 1e3, label("stage", "capture"))
      .sample(stages.preprocess / 1e3, label("stage", "preprocess"))
      .sample(stages.encode / 1e3, label("stage", "encode"))
      .sample(stages.answer / 1e3, label("stage", "answer"))
      .sample(stages.teach / 1e3, label("stage", "teach"));
  page.family("classes", "gauge", "Classes that are known.")
      .sample(std::uint64_t{state.classes.size()});
  page.family("classes_max", "gauge", "Classes that there is room for.")
      .sample(std::uint64_t{state.max_classes});
  page.family("planned_bytes", "gauge", "Memory of the learner, fixed at the start.")
      .sample(state.planned_bytes);
  page.family("resident_bytes", "gauge", "Memory of the whole program.")
      .sample(state.resident_bytes);
  page.family("source_up", "gauge", "1 while the source gives frames.")
      .sample(std::uint64_t{state.source_status == SourceStatus::kRunning ? 1U : 0U});
  std::uint64_t errors = 0;
  for (const Problem& problem : state.problems) errors += problem.error ? 1U : 0U;
  page.family("problems", "gauge", "Problems that are shown on the page.")
      .sample(errors, label("severity", "error"))
      .sample(std::uint64_t{state.problems.size()} - errors, label("severity", "warning"));
}

void server_metrics(Page& page, const ServerNumbers& server) {
  page.family("http_connections", "gauge", "Open connections.")
      .sample(std::uint64_t{server.connections});
  page.family("http_streams", "gauge", "Clients that follow events or pictures.")
      .sample(std::uint64_t{server.event_streams}, label("kind", "events"))
      .sample(std::uint64_t{server.picture_streams}, label("kind", "pictures"));
  page.family("http_requests_total", "counter", "Requests by the status of their answer.");
  for (const auto& [status, count] : server.requests) {
    page.sample(count, label("status", std::to_string(status)));
  }
}

void device_metrics(Page& page, const device::DeviceSensors& device) {
  if (!device.zones.empty()) {
    page.family("temperature_celsius", "gauge", "Temperature of each thermal zone.");
    for (std::size_t i = 0; i < device.zones.size(); ++i) {
      page.sample(device.zones[i].celsius,
                  label("zone", device.zones[i].name) + ',' + label("index", std::to_string(i)));
    }
  }
  if (!device.coolers.empty()) {
    page.family("cooling_ratio", "gauge", "How far each cooling device is on, 0 to 1.");
    for (std::size_t i = 0; i < device.coolers.size(); ++i) {
      const device::CoolingDevice& cooler = device.coolers[i];
      page.sample(cooler.most > 0.0 ? cooler.state / cooler.most : 0.0,
                  label("device", cooler.name) + ',' + label("index", std::to_string(i)));
    }
  }
  if (!device.clocks.empty()) {
    page.family("cpu_allowed_hertz", "gauge", "Highest clock that is allowed now.");
    for (const device::CpuClock& clock : device.clocks)
      page.sample(clock.allowed_hertz, label("policy", clock.name));
    page.family("cpu_highest_hertz", "gauge", "Highest clock of the hardware.");
    for (const device::CpuClock& clock : device.clocks)
      page.sample(clock.highest_hertz, label("policy", clock.name));
    page.family("cpu_limited", "gauge",
                "1 where less than the highest clock is allowed: by power mode, heat or hand.");
    for (const device::CpuClock& clock : device.clocks) {
      page.sample(std::uint64_t{clock.allowed_hertz < clock.highest_hertz ? 1U : 0U},
                  label("policy", clock.name));
    }
  }
  if (device.power_mode) {
    page.family("power_mode", "gauge", "The number of the power mode that nvpmodel has set.")
        .sample(static_cast<double>(device.power_mode->number),
                label("name", device.power_mode->name));
  }
}

}  // namespace

void RequestCounts::count(unsigned status) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ++by_status_[status];
}

std::map<unsigned, std::uint64_t> RequestCounts::all() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return by_status_;
}

std::string metrics_text(const State& state, const Moment& moment, const ServerNumbers& server,
                         const device::DeviceSensors& device) {
  Page page;
  session_metrics(page, state, moment);
  server_metrics(page, server);
  device_metrics(page, device);
  return page.take();
}

}  // namespace jackdaw::live
