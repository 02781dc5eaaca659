// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The newest frame, for those who look. The loop leaves a small copy here, only while somebody
// looks; the JPEG is made by the thread that asks, once for each frame.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <opencv2/core.hpp>

#include "jackdaw/engines/frame.hpp"
#include "live/control.hpp"

namespace jackdaw::live {

// BGR in host memory, as OpenCV sees it; no copy.
cv::Mat as_mat(const FrameView& frame);

// JPEG, at most so wide; empty if it cannot be encoded.
std::string to_jpeg(const cv::Mat& picture, int most_width, int quality);

class Viewfinder {
 public:
  static constexpr int kMostWidth = 960;

  // The loop. Costs nothing while nobody has looked for two seconds.
  void show(const FrameView& frame, std::uint64_t number, double now);
  // Anybody.
  Bytes jpeg(double now);

 private:
  std::mutex mutex_;  // picture_, number_
  std::condition_variable shown_;
  cv::Mat picture_;
  std::uint64_t number_ = 0;
  std::atomic<double> looked_{-1e9};
  std::mutex encoding_;  // the rest
  cv::Mat work_;
  Bytes encoded_;
  std::uint64_t encoded_number_ = 0;
};

}  // namespace jackdaw::live
