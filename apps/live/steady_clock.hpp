// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Seconds of the steady clock, as SourceFrame::captured_at has them. On Linux that clock is one for
// all processes.

#include <chrono>
#include <thread>

namespace jackdaw::live {

inline double steady_seconds() noexcept {
  using Seconds = std::chrono::duration<double>;
  return Seconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void sleep_seconds(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace jackdaw::live
