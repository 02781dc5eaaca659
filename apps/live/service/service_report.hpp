// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the camera app tells systemd: ready with the first turn of the frame loop, alive while the
// loop goes on turning, and one line for `systemctl status`.
//
//   ServiceReport report(NotifySocket::from_environment(), watchdog_seconds_from_environment());
//   while (...) report.turn(session, session.turns(), steady_seconds());     // some times a second
//   report.stopping();
//
// The loop alone keeps the watchdog quiet: whoever calls turn() passes on how often the loop has
// turned, and nothing is sent when that has not grown. A camera that is gone does not stop the
// loop.

#include <cstdint>
#include <string>

#include "live/control.hpp"
#include "live/service/notify_socket.hpp"

namespace jackdaw::live {

class ServiceReport {
 public:
  ServiceReport(NotifySocket socket, double watchdog_seconds);  // 0: there is no watchdog

  void turn(const Control& control, std::uint64_t turns, double now);  // seconds, steady clock
  void stopping();  // what was taught last is on its way to the disk

 private:
  const NotifySocket socket_;
  const bool watched_;
  const double every_;  // seconds
  std::uint64_t turns_ = 0;
  double sent_at_ = 0.0;
  bool ready_ = false;
};

// "28.9 frames a second, 3 classes; mug", or what is wrong.
std::string status_line(const State& state, const Moment& moment);

}  // namespace jackdaw::live
