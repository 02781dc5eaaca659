// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/cameras.hpp"

#include <algorithm>
#include <filesystem>

#include "live/source/natural_order.hpp"
#include "live/source/video_device.hpp"

namespace jackdaw::live {
namespace {

namespace fs = std::filesystem;

bool has_file(const fs::path& folder, const std::string& beginning) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename().string().compare(0, beginning.size(), beginning) == 0) return true;
  }
  return false;
}

// The element that reads the sensors, and the device below it (its name differs between releases).
bool has_csi(const fs::path& root) {
  bool element = false;
  for (const char* folder : {"usr/lib/aarch64-linux-gnu/gstreamer-1.0", "usr/lib/gstreamer-1.0"}) {
    element = element || has_file(root / folder, "libgstnvarguscamerasrc");
  }
  const bool device =
      has_file(root / "dev", "nvhost-vi") || has_file(root / "dev", "capture-vi-channel");
  return element && device;
}

}  // namespace

std::vector<FoundCamera> list_cameras() { return list_cameras("/"); }

std::vector<FoundCamera> list_cameras(const std::string& root) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(root) / "dev", error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool digits = name.size() > 5 && std::all_of(name.begin() + 5, name.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; });
    if (name.compare(0, 5, "video") == 0 && digits) paths.push_back(entry->path().string());
  }
  std::sort(paths.begin(), paths.end(), natural_less);
  std::vector<FoundCamera> found;
  for (const std::string& path : paths) {
    const VideoDevice device = look_at(path);
    if (device.fault.empty()) found.push_back({"v4l2://" + path, device.name});
  }
  if (has_csi(root)) found.push_back({"csi://0", "CSI camera"});
  return found;
}

}  // namespace jackdaw::live
