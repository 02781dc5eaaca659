// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Notices a camera that hands out the same picture again and again, as some do when they have died
// behind their driver. Two pictures of a camera that lives are never the same: a sensor has noise.
// Not for folders and demo://.
//
//   FrozenDetector detector;                                  // more than 15 frames and 2 seconds
//   if (detector.same_again(frame.view, frame.captured_at)) do_not_learn();

#include <cstdint>
#include <vector>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw::live {

struct FrozenRule {
  std::uint32_t frames = 15;  // more than so many the same, one after the other,
  double seconds = 2.0;       // and for longer than this
};

class FrozenDetector {
 public:
  explicit FrozenDetector(FrozenRule rule = {});
  // Whether the picture stands still, this frame counted. Of a frame whose pixels are not in host
  // memory nothing is known: false.
  bool same_again(const FrameView& frame, double captured_at);
  void restart();  // the next frame is the first

 private:
  FrozenRule rule_;
  std::vector<std::byte> last_, now_;  // the pixels on a grid
  std::uint32_t width_ = 0, height_ = 0;
  std::uint32_t same_ = 0;  // frames like the first of them
  double since_ = 0.0;      // when that was captured
};

}  // namespace jackdaw::live
