// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/rate_limiter.hpp"

#include <algorithm>

namespace jackdaw::live {

bool RateLimiter::allow(const std::string& address, double now, double factor) {
  auto found = buckets_.find(address);
  if (found == buckets_.end()) {
    if (buckets_.size() >= kMostAddresses) forget_the_quiet(now);
    const bool full = buckets_.size() >= kMostAddresses;
    found = buckets_.emplace(full ? std::string() : address, Bucket{burst_ * factor, now, factor})
                .first;
  }
  Bucket& bucket = found->second;
  bucket.tokens = std::min(burst_ * bucket.factor,
                           bucket.tokens + (now - bucket.at) * per_second_ * bucket.factor);
  bucket.at = now;
  if (bucket.tokens < 1.0) return false;
  bucket.tokens -= 1.0;
  return true;
}

void RateLimiter::forget_the_quiet(double now) {
  for (auto i = buckets_.begin(); i != buckets_.end();) {
    const Bucket& bucket = i->second;
    const bool refilled =
        bucket.tokens + (now - bucket.at) * per_second_ * bucket.factor >= burst_ * bucket.factor;
    i = refilled ? buckets_.erase(i) : std::next(i);
  }
}

}  // namespace jackdaw::live
