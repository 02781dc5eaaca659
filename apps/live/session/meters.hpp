// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often something happens, and how long it takes, for people to read: over the last two seconds
// or so, without allocating.

#include <array>
#include <cstddef>

namespace jackdaw::live {

class RateMeter {
 public:
  static constexpr double kSeconds = 2.0;

  void tick(double now);
  double rate(double now) const;  // a second

 private:
  std::array<double, 512> times_{};
  std::size_t next_ = 0, count_ = 0;
};

// Follows a duration that differs from frame to frame; a tenth of each new value.
class Level {
 public:
  void add(double value) {
    level_ = first_ ? value : level_ + 0.1 * (value - level_);
    first_ = false;
  }
  double value() const { return level_; }

 private:
  double level_ = 0.0;
  bool first_ = true;
};

}  // namespace jackdaw::live
