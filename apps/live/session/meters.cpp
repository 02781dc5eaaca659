// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/meters.hpp"

#include <algorithm>

namespace jackdaw::live {

void RateMeter::tick(double now) {
  times_[next_] = now;
  next_ = (next_ + 1) % times_.size();
  count_ = std::min(count_ + 1, times_.size());
}

double RateMeter::rate(double now) const {
  std::size_t within = 0;
  double oldest = now;
  while (within < count_) {
    const double time = times_[(next_ + times_.size() - within - 1) % times_.size()];
    if (time < now - kSeconds) break;
    oldest = time;
    ++within;
  }
  // The intervals between them: a steady 30 a second reads 30 from the second frame on.
  return within < 2 || now <= oldest ? 0.0 : static_cast<double>(within - 1) / (now - oldest);
}

}  // namespace jackdaw::live
