// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/smoothing.hpp"

#include <algorithm>

namespace jackdaw::live {

Smoothing::Smoothing(std::uint32_t max_classes) : means_(max_classes, 0.0) {
  for (Frame& frame : frames_) frame.confidences.assign(max_classes, 0.0F);
}

void Smoothing::clear() {
  next_ = count_ = 0;
  average();
}

void Smoothing::add(const Answer& answer, double now) {
  Frame& frame = frames_[next_];
  next_ = (next_ + 1) % kFrames;
  count_ = std::min(count_ + 1, kFrames);
  frame.time = now;
  frame.unknown = answer.unknown_confidence;
  std::fill(frame.confidences.begin(), frame.confidences.end(), 0.0F);
  for (const RankedLabel& ranked : answer.ranked) {
    frame.confidences[ranked.slot] = ranked.confidence;
  }
  while (count_ > 1 && frames_[(next_ + kFrames - count_) % kFrames].time < now - kSeconds) {
    --count_;
  }
  average();
}

void Smoothing::forget(std::uint32_t slot) {
  for (Frame& frame : frames_) {
    frame.unknown += static_cast<double>(frame.confidences[slot]);
    frame.confidences[slot] = 0.0F;
  }
  average();
}

void Smoothing::average() {
  std::fill(means_.begin(), means_.end(), 0.0);
  if (count_ == 0) {
    unknown_ = 1.0;
    return;
  }
  unknown_ = 0.0;
  for (std::size_t age = 1; age <= count_; ++age) {
    const Frame& frame = frames_[(next_ + kFrames - age) % kFrames];
    unknown_ += frame.unknown;
    for (std::size_t slot = 0; slot < means_.size(); ++slot) {
      means_[slot] += static_cast<double>(frame.confidences[slot]);
    }
  }
  const auto frames = static_cast<double>(count_);
  unknown_ /= frames;
  for (double& mean : means_) mean /= frames;
}

void Smoothing::rank(std::size_t most, std::vector<SmoothedClass>& ranked) const {
  ranked.clear();
  for (std::uint32_t slot = 0; slot < means_.size(); ++slot) {
    if (means_[slot] <= 0.0) continue;
    const SmoothedClass entry{slot, means_[slot]};
    const auto place = std::find_if(ranked.begin(), ranked.end(), [&](const SmoothedClass& other) {
      return other.confidence < entry.confidence;
    });
    if (place == ranked.end() && ranked.size() >= most) continue;
    if (ranked.size() >= most) ranked.pop_back();
    ranked.insert(place, entry);
  }
}

}  // namespace jackdaw::live
