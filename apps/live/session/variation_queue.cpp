// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/variation_queue.hpp"

namespace jackdaw::live {

bool VariationQueue::push(const FrameView& frame, std::uint64_t number, std::uint64_t burst,
                          std::uint32_t slot) {
  if (count_ == ring_.size()) return false;
  PendingPicture& pending = at(count_);
  if (shrink(frame, pending.picture) != Status::kOk) return false;
  pending.number = number;
  pending.burst = burst;
  pending.slot = slot;
  pending.next = 0;
  pending.dropped = false;
  ++count_;
  return true;
}

PendingPicture* VariationQueue::front() {
  while (count_ > 0 && at(0).dropped) pop();
  return count_ == 0 ? nullptr : &at(0);
}

void VariationQueue::pop() {
  first_ = (first_ + 1) % ring_.size();
  --count_;
}

void VariationQueue::drop_burst(std::uint64_t burst) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (at(i).burst == burst) at(i).dropped = true;
  }
}

void VariationQueue::drop_slot(std::uint32_t slot) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (at(i).slot == slot) at(i).dropped = true;
  }
}

void VariationQueue::move_burst(std::uint64_t burst, std::uint32_t slot) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (at(i).burst == burst) at(i).slot = slot;
  }
}

}  // namespace jackdaw::live
