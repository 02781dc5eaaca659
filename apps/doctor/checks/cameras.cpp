// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The cameras that the system shows, and why some of them cannot be used.
#include "live/source/cameras.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "device/system_files.hpp"
#include "doctor/check.hpp"
#include "live/source/video_device.hpp"

namespace jackdaw::doctor {
namespace {

constexpr std::chrono::seconds kPatience{5};

struct Seen {
  std::vector<live::FoundCamera> usable;
  std::vector<std::string> faults;
};

Seen look(const std::string& root) {
  Seen seen;
  seen.usable = live::list_cameras(root);
  for (const auto& path : device::entries(std::filesystem::path(root) / "dev", "video")) {
    const live::VideoDevice found = live::look_at(path.string());
    if (!found.fault.empty()) seen.faults.push_back(found.fault);
  }
  return seen;
}

}  // namespace

Finding check_cameras(const DoctorOptions& options) {
  // A driver may never answer: then its thread is left behind.
  auto task =
      std::make_shared<std::packaged_task<Seen()>>([root = options.root] { return look(root); });
  std::future<Seen> answer = task->get_future();
  std::thread([task] { (*task)(); }).detach();
  if (answer.wait_for(kPatience) != std::future_status::ready) {
    return failed("a camera's driver does not answer",
                  "unplug USB cameras, or restart the camera service: sudo systemctl restart "
                  "nvargus-daemon");
  }
  const Seen seen = answer.get();
  nlohmann::json facts{{"cameras", nlohmann::json::array()}, {"faults", seen.faults}};
  std::string text;
  for (const live::FoundCamera& camera : seen.usable) {
    facts["cameras"].push_back({{"uri", camera.uri}, {"name", camera.name}});
    text += (text.empty() ? "" : "; ") + camera.uri + " (" + camera.name + ")";
  }
  for (const std::string& fault : seen.faults) text += (text.empty() ? "" : "; ") + fault;
  if (!seen.usable.empty()) return ok(text, facts);
  if (text.empty()) {
    Finding found = ok("no camera is connected", facts);
    found.advice = "demo:// works without one";
    return found;
  }
  return warning("no camera can be used: " + text, "demo:// works without one", facts);
}

}  // namespace jackdaw::doctor
