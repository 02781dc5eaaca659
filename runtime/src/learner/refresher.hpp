// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Refreshes an ensemble at quiet moments, in a thread of its own.
//
// Each change makes it due sooner: at once for the first hundred since the start, then whenever a
// twentieth of all changes since the start is new, and in any case two seconds after the last one.

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "jackdaw/ensemble.hpp"

namespace jackdaw {

class Refresher {
 public:
  Refresher(Ensemble& ensemble, bool in_background);
  ~Refresher();
  Refresher(const Refresher&) = delete;
  Refresher& operator=(const Refresher&) = delete;

  void taught() noexcept;  // or untaught; does not wait
  Status refresh_now() noexcept;

  std::uint64_t count() const noexcept;
  double last_seconds() const noexcept;

 private:
  void run() noexcept;
  bool due_at_once() const noexcept {
    return fresh_ > 0 && (total_ < 100 || fresh_ * 20 >= total_);
  }

  Ensemble& ensemble_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t total_ = 0;
  std::uint64_t fresh_ = 0;  // since the last refresh
  std::uint64_t count_ = 0;
  double last_seconds_ = 0.0;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace jackdaw
