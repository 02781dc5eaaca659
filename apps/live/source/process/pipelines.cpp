// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <cmath>

#include "live/source/flip.hpp"
#include "live/source/process/capture_input.hpp"

namespace jackdaw::live {
namespace {

// The newest frame only, as soon as it is there.
const char* const kSink = " ! appsink drop=true max-buffers=1 sync=false";
const char* const kToBgr = " ! videoconvert ! video/x-raw,format=BGR";

}  // namespace

std::string csi_pipeline(const CaptureRequest& request) {
  const SourceOptions& options = request.options;
  const std::uint32_t width = options.width > 0 ? options.width : 1280;
  const std::uint32_t height = options.height > 0 ? options.height : 720;
  const double rate = options.rate > 0.0 ? options.rate : 30.0;
  // Thirds and the like as thousandths: 29.97 is 29970/1000.
  const bool whole = std::abs(rate - std::round(rate)) < 1e-9;
  const std::string framerate = whole ? std::to_string(std::lround(rate)) + "/1"
                                      : std::to_string(std::lround(rate * 1000)) + "/1000";
  return "nvarguscamerasrc sensor-id=" + request.uri.location +
         " ! video/x-raw(memory:NVMM),width=" + std::to_string(width) +
         ",height=" + std::to_string(height) + ",framerate=" + framerate +
         ",format=NV12 ! nvvidconv flip-method=" +
         std::to_string(nvvidconv_method(parse_flip(options.flip))) + " ! video/x-raw,format=BGRx" +
         kToBgr + kSink;
}

// check_stream_address() has refused quotes and backslashes in the address.
std::string rtsp_pipeline(const CaptureRequest& request) {
  return "rtspsrc location=\"" + request.uri.location +
         "\" latency=200 drop-on-latency=true ! decodebin" + kToBgr + kSink;
}

std::string rtp_pipeline(const CaptureRequest& request) {
  const std::size_t colon = request.uri.location.rfind(':');
  const auto codec = request.uri.choices.find("codec");
  const bool h265 = codec != request.uri.choices.end() && codec->second == "h265";
  return "udpsrc address=" + request.uri.location.substr(0, colon) +
         " port=" + request.uri.location.substr(colon + 1) +
         " caps=\"application/x-rtp,media=video,clock-rate=90000,encoding-name=" +
         (h265 ? "H265\" ! rtph265depay" : "H264\" ! rtph264depay") + " ! decodebin" + kToBgr +
         kSink;
}

}  // namespace jackdaw::live
