// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a session shows, between the loop that writes it and all who read it.

#include <condition_variable>
#include <mutex>

#include "live/control.hpp"

namespace jackdaw::live {

class Board {
 public:
  State state() const;
  Moment moment() const;
  Control::Versions versions() const noexcept;
  Control::Versions wait(Control::Versions seen, double seconds) const;

  void publish(const State& state);
  void publish(const Moment& moment);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  State state_;
  Moment moment_;
  Control::Versions versions_;
};

}  // namespace jackdaw::live
