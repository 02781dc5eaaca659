// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matrix of BGR pixels as a frame; no copy.

#include <opencv2/core.hpp>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw::live {

inline FrameView frame_of(const cv::Mat& picture) {
  FrameView view;
  view.format = PixelFormat::kBgr;
  view.width = static_cast<std::uint32_t>(picture.cols);
  view.height = static_cast<std::uint32_t>(picture.rows);
  view.data = reinterpret_cast<const std::byte*>(picture.data);
  view.stride = picture.step[0];
  return view;
}

}  // namespace jackdaw::live
