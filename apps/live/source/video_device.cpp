// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/video_device.hpp"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "state/descriptor.hpp"

namespace jackdaw::live {
namespace {

int ask(int device, unsigned long what, void* answer) {
  int result = 0;
  do {
    result = ::ioctl(device, what, answer);
  } while (result < 0 && errno == EINTR);
  return result;
}

bool is_bayer(std::uint32_t format) {
  char code[4];
  std::memcpy(code, &format, sizeof code);
  const std::string text(code, 4);
  // BA81, GRBG, RG10, pBAA, …: the sensor's own pixels, one colour each.
  static const char* const kNames[] = {"BA81", "GBRG", "GRBG", "RGGB"};
  for (const char* name : kNames) {
    if (text == name) return true;
  }
  const bool depth =
      text[2] == '1' && (text[3] == '0' || text[3] == '2' || text[3] == '4' || text[3] == '6');
  const std::string order = text.substr(0, 2);
  return (depth &&
          (order == "BG" || order == "GB" || order == "BA" || order == "RG" || order == "BY")) ||
         (text[0] == 'p' && (text[2] == 'A' || text[2] == 'C' || text[2] == 'E'));
}

}  // namespace

VideoDevice look_at(const std::string& path) {
  VideoDevice found;
  const state::Descriptor device(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!device) {
    const int code = errno;
    found.fault = path + " cannot be opened: " + std::generic_category().message(code);
    if (code == ENOENT) found.fault = "there is no " + path + "; is the camera connected?";
    if (code == EACCES) found.fault += "; add yourself to the group video";
    return found;
  }
  v4l2_capability able{};
  if (ask(device.get(), VIDIOC_QUERYCAP, &able) != 0) {
    found.fault = path + " is no camera";
    return found;
  }
  found.name.assign(reinterpret_cast<const char*>(able.card),
                    ::strnlen(reinterpret_cast<const char*>(able.card), sizeof able.card));
  const std::uint32_t abilities =
      (able.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? able.device_caps : able.capabilities;
  if ((abilities & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE)) == 0) {
    found.fault = path + " (" + found.name +
                  ") does not capture pictures; a camera often has "
                  "several devices, try another";
    return found;
  }
  bool any = false, other_than_bayer = false;
  for (std::uint32_t i = 0; i < 64; ++i) {
    v4l2_fmtdesc format{};
    format.index = i;
    format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (ask(device.get(), VIDIOC_ENUM_FMT, &format) != 0) break;
    any = true;
    other_than_bayer = other_than_bayer || !is_bayer(format.pixelformat);
  }
  if (any && !other_than_bayer) {
    found.fault = path + " (" + found.name +
                  ") is a CSI sensor and gives raw Bayer pixels here; "
                  "open it as csi://0, through the image processor";
  }
  return found;
}

}  // namespace jackdaw::live
