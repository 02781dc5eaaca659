// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many requests an address may send: so many a second on average, and a burst at once.
//
//   RateLimiter limiter(50.0, 200.0);
//   if (!limiter.allow("10.0.0.7", now)) refuse(429);
//
// For one thread.

#include <cstddef>
#include <string>
#include <unordered_map>

namespace jackdaw::live {

class RateLimiter {
 public:
  static constexpr std::size_t kMostAddresses = 4096;  // beyond them all others share one allowance

  RateLimiter(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  // `factor`: so many times as much for this address.
  bool allow(const std::string& address, double now, double factor = 1.0);
  std::size_t addresses() const { return buckets_.size(); }

 private:
  struct Bucket {
    double tokens = 0.0;
    double at = 0.0;
    double factor = 1.0;
  };
  void forget_the_quiet(double now);

  double per_second_, burst_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace jackdaw::live
