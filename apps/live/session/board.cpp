// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/board.hpp"

#include <chrono>

namespace jackdaw::live {

State Board::state() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return state_;
}

Moment Board::moment() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return moment_;
}

Control::Versions Board::versions() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return versions_;
}

Control::Versions Board::wait(Control::Versions seen, double seconds) const {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [&] { return versions_.state > seen.state || versions_.moment > seen.moment; });
  return versions_;
}

void Board::publish(const State& state) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    state_ = state;
    ++versions_.state;
  }
  changed_.notify_all();
}

void Board::publish(const Moment& moment) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    moment_ = moment;
    ++versions_.moment;
  }
  changed_.notify_all();
}

}  // namespace jackdaw::live
