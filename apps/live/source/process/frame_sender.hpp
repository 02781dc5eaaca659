// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The capturing process's end: takes the request, hands over frames.
//
//   FrameSender sender;                          // on the descriptors that the program gave it
//   const CaptureRequest request = sender.request();
//   sender.say(Word::kOpened);
//   sender.send(picture, steady_seconds());

#include <opencv2/core.hpp>
#include <thread>

#include "live/source/process/capture_link.hpp"
#include "live/source/process/shared_frames.hpp"

namespace jackdaw::live {

class FrameSender {
 public:
  // From then on this process ends when the program does. Throws StateError.
  FrameSender();

  CaptureRequest request();  // waits a little; throws StateError if none comes
  // BGR. Throws StateError if it is larger than kMostFrameBytes.
  void send(const cv::Mat& picture, double captured_at);
  void say(Word word);  // never waits
  SharedFrames& frames() { return frames_; }
  int link() const { return link_.get(); }

 private:
  state::Descriptor link_;
  SharedFrames frames_;
  std::uint32_t slot_ = kWriterSlot;
  std::uint64_t sent_ = 0;
};

}  // namespace jackdaw::live
