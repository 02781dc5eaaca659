// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread between the Control and the streams: waits for the next change, makes each event and
// each picture once for all who watch, at most so many a second, and nothing while nobody does. It
// also ends connections whose time is over.
//
//   Pump pump(control, hub, table, 15.0);
//   pump.seconds_since_frame();        // of the Control; for /healthz

#include <atomic>
#include <cstdint>
#include <thread>

#include "live/control.hpp"
#include "live/server/connection_table.hpp"
#include "live/server/stream_hub.hpp"

namespace jackdaw::live {

class Pump {
 public:
  Pump(Control& control, StreamHub& hub, ConnectionTable& table, double updates_per_second);
  ~Pump() { stop(); }
  Pump(const Pump&) = delete;
  Pump& operator=(const Pump&) = delete;

  void stop();
  double seconds_since_frame() const noexcept;

 private:
  void loop();
  void greet(const StreamHub::Audience& audience);
  void publish(const StreamHub::Audience& audience, Control::Versions now);
  Bytes state_event();
  Bytes moment_event();

  Control& control_;
  StreamHub& hub_;
  ConnectionTable& table_;
  const double interval_;
  std::uint64_t event_number_ = 0;
  Control::Versions published_;
  std::atomic<double> frame_at_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace jackdaw::live
