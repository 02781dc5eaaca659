// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a /dev/videoN is. Asks the driver, which may hang: only for cameras that are about to be
// used, and not on the frame path.
//
//   const VideoDevice device = look_at("/dev/video0");
//   if (device.fault.empty()) use(device.name);

#include <string>

namespace jackdaw::live {

struct VideoDevice {
  std::string name;   // as the driver calls it
  std::string fault;  // one sentence; empty: it can capture
};

VideoDevice look_at(const std::string& path);

}  // namespace jackdaw::live
