// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the capturing process opens: a camera, a stream or a video, through OpenCV. Any call may
// hang; that is what the process is for.
//
//   auto input = open_input(request);           // throws SettingsError with a sentence for people
//   while (input->read(picture)) ...

#include <memory>
#include <opencv2/core.hpp>

#include "live/source/process/capture_link.hpp"

namespace jackdaw::live {

class CaptureInput {
 public:
  virtual ~CaptureInput() = default;
  // BGR, turned as asked. False: no more.
  virtual bool read(cv::Mat& picture) = 0;
  virtual double rate() const = 0;  // frames a second; 0: not known
};

std::unique_ptr<CaptureInput> open_input(const CaptureRequest& request);

// The GStreamer pipelines, as they are given to OpenCV.
std::string csi_pipeline(const CaptureRequest& request);
std::string rtsp_pipeline(const CaptureRequest& request);
std::string rtp_pipeline(const CaptureRequest& request);

}  // namespace jackdaw::live
