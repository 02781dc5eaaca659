// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo_source.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <thread>

#include "jackdaw/error.hpp"
#include "live/source/frame_of.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

bool is_thing(const std::string& name) {
  const auto& names = demo::thing_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

demo::SceneSettings scene_settings(const SourceUri& uri) {
  demo::SceneSettings settings;
  std::istringstream names(uri.location);
  for (std::string name; std::getline(names, name, ',');) {
    if (!is_thing(name)) {
      std::string all;
      for (const std::string& known : demo::thing_names()) all += (all.empty() ? "" : ", ") + known;
      throw SettingsError("source '" + uri.shown + "': there is no '" + name +
                          "'; there are: " + all);
    }
    settings.things.push_back(name);
  }
  settings.speed = number_choice(uri, "speed", settings.speed, 0.01, 100.0);
  settings.hold = number_choice(uri, "hold", settings.hold, 0.1, 3600.0);
  settings.empty = number_choice(uri, "empty", settings.empty, 0.0, 3600.0);
  settings.seed = static_cast<std::uint64_t>(number_choice(uri, "seed", 1.0, 0.0, 1e9));
  return settings;
}

}  // namespace

DemoSource::DemoSource(const SourceUri& uri, const SourceOptions& options)
    : uri_("demo://" + uri.location),
      scene_(scene_settings(uri)),
      size_(options.width > 0
                ? cv::Size(static_cast<int>(options.width), static_cast<int>(options.height))
                : demo::kPictureSize),
      flip_(parse_flip(options.flip)),
      rate_(options.rate > 0.0 ? options.rate : demo::kFramesASecond) {
  const auto control = uri.choices.find("control");
  if (control != uri.choices.end()) control_ = control->second;
}

bool DemoSource::show(const std::optional<std::string>& name) {
  if (name && !name->empty() && !is_thing(*name)) return false;
  shown_ = name;
  return true;
}

std::optional<std::string> DemoSource::chosen() const {
  if (control_.empty()) return shown_;
  std::ifstream file(control_);
  if (!file) return shown_;
  std::string name;
  file >> name;
  return is_thing(name) ? name : "";
}

Capture DemoSource::capture(double deadline_seconds, SourceFrame& frame) {
  const double now = steady_seconds();
  if (started_ < 0.0) started_ = now - 1.0 / rate_;
  auto number = static_cast<std::uint64_t>((now - started_) * rate_);
  if (number <= last_) {
    const double wait = started_ + static_cast<double>(last_ + 1) / rate_ - now;
    const double allowed = std::max(deadline_seconds, 0.0);
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(wait, allowed)));
    if (wait > allowed) return Capture::kTimeout;
    number = last_ + 1;
  }
  dropped_ += number - last_ - 1;
  last_ = number;
  // The scene is of 30 frames a second, whatever the rate.
  const auto of_scene = static_cast<std::uint64_t>(
      std::llround(static_cast<double>(number) * demo::kFramesASecond / rate_));
  const std::optional<std::string> choice = chosen();
  frame.name = choice ? scene_.draw(of_scene, *choice, drawn_) : scene_.draw(of_scene, drawn_);
  cv::Mat& out = drawn_.size() == size_ ? drawn_ : picture_;
  if (drawn_.size() != size_) cv::resize(drawn_, picture_, size_, 0, 0, cv::INTER_LINEAR);
  turn(out, flip_, scratch_);
  frame.view = frame_of(out);
  frame.number = number;
  frame.captured_at = steady_seconds();
  return Capture::kFrame;
}

}  // namespace jackdaw::live
