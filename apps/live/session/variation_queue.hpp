// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures that were taught and whose variations are still to be taught, oldest first. They are
// taught between answers, so that answering never waits for them. Bounded: where learning cannot
// keep up, variations of new pictures are left out and counted; the pictures themselves are not.

#include <cstdint>
#include <vector>

#include "live/variation/small_frame.hpp"

namespace jackdaw::live {

struct PendingPicture {
  SmallFrame picture;
  std::uint64_t number = 0;  // of the frame
  std::uint64_t burst = 0;
  std::uint32_t slot = 0;
  std::uint32_t next = 0;  // variation
  bool dropped = false;    // taken back before its turn
};

class VariationQueue {
 public:
  static constexpr std::size_t kMost = 128;  // pictures; 10 MB, taken at the start

  VariationQueue() : ring_(kMost) {}

  // False: the queue is full, or the frame is none.
  bool push(const FrameView& frame, std::uint64_t number, std::uint64_t burst, std::uint32_t slot);
  PendingPicture* front();  // nullptr: nothing is waiting
  void pop();
  void drop_burst(std::uint64_t burst);
  void drop_slot(std::uint32_t slot);
  void move_burst(std::uint64_t burst, std::uint32_t slot);
  void clear() { count_ = 0; }

 private:
  PendingPicture& at(std::size_t i) { return ring_[(first_ + i) % ring_.size()]; }

  std::vector<PendingPicture> ring_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace jackdaw::live
