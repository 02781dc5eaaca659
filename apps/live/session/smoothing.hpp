// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One frame may be blurred or half out of the picture; the answer that is shown is steadier. The
// rule: the mean of the confidences, "unknown" among them, over the last eight answered frames of
// the last second; the largest mean is the answer.
//
//   Smoothing smoothing(max_classes);
//   smoothing.add(answer, now);
//   smoothing.rank(8, ranked);              // slots, best first
//
// After construction nothing is allocated. For one thread.

#include <array>
#include <cstdint>
#include <vector>

#include "jackdaw/learner.hpp"

namespace jackdaw::live {

struct SmoothedClass {
  std::uint32_t slot = 0;
  double confidence = 0.0;
};

class Smoothing {
 public:
  static constexpr std::size_t kFrames = 8;
  static constexpr double kSeconds = 1.0;

  explicit Smoothing(std::uint32_t max_classes);

  void add(const Answer& answer, double now);
  void clear();                     // another source, another state
  void forget(std::uint32_t slot);  // what was said of it counts as unknown

  double unknown() const noexcept { return unknown_; }
  // The best, at most `most`, into room that `ranked` already has.
  void rank(std::size_t most, std::vector<SmoothedClass>& ranked) const;

 private:
  struct Frame {
    double time = 0.0;
    double unknown = 1.0;
    std::vector<float> confidences;  // by slot
  };

  void average();

  std::array<Frame, kFrames> frames_;
  std::size_t next_ = 0, count_ = 0;
  std::vector<double> means_;  // by slot
  double unknown_ = 1.0;
};

}  // namespace jackdaw::live
