// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/pump.hpp"

#include <algorithm>
#include <chrono>

#include "jackdaw/log.hpp"
#include "live/server/views.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

// The longest that a newcomer waits while the source is silent, and that stopping takes.
constexpr double kLongestWait = 0.1;
constexpr double kSweepInterval = 0.25;

}  // namespace

Pump::Pump(Control& control, StreamHub& hub, ConnectionTable& table, double updates_per_second)
    : control_(control),
      hub_(hub),
      table_(table),
      interval_(1.0 / updates_per_second),
      frame_at_(-1e9),
      thread_([this] { loop(); }) {}

void Pump::stop() {
  stopping_ = true;
  if (thread_.joinable()) thread_.join();
}

double Pump::seconds_since_frame() const noexcept { return steady_seconds() - frame_at_; }

void Pump::loop() {
  Control::Versions seen;
  double due = 0.0, swept_at = 0.0;
  while (!stopping_) {
    const Control::Versions now = control_.wait(seen, kLongestWait);
    if (now.moment > seen.moment) frame_at_ = steady_seconds();
    seen = now;
    if (steady_seconds() - swept_at >= kSweepInterval) {
      table_.sweep();
      swept_at = steady_seconds();
    }
    try {
      const StreamHub::Audience audience = hub_.audience();
      const double clock = steady_seconds();
      if (clock >= due) {
        publish(audience, now);
        // Keeps the pace if a frame came a little late, without catching up for long silence.
        due = std::max(due + interval_, clock + interval_ / 2);
      }
      greet(audience);
      hub_.send_heartbeats();
    } catch (const std::exception& error) {
      log(LogLevel::kError, std::string("the page's streams missed an update: ") + error.what());
    }
    // A change that came too early waits here for its turn; later ones replace it.
    const bool behind = published_.state < seen.state || published_.moment < seen.moment;
    const double rest = std::min(due - steady_seconds(), kLongestWait);
    if (behind && rest > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(rest));
  }
}

Bytes Pump::state_event() {
  return event_bytes(++event_number_, "state", state_json(control_.state()));
}

Bytes Pump::moment_event() {
  return event_bytes(++event_number_, "moment", moment_json(control_.moment()));
}

void Pump::greet(const StreamHub::Audience& audience) {
  if (audience.fresh_events) {
    const Bytes state = state_event();
    hub_.greet_events(state, moment_event());
  }
  if (audience.fresh_pictures) {
    if (const Bytes jpeg = control_.picture()) hub_.greet_pictures(picture_part(*jpeg));
  }
}

void Pump::publish(const StreamHub::Audience& audience, Control::Versions now) {
  // Versions are read before what they number, so that a change in between is shown once more.
  if (audience.events > 0) {
    if (now.state > published_.state) hub_.publish(Stream::Slot::kState, state_event());
    if (now.moment > published_.moment) hub_.publish(Stream::Slot::kMoment, moment_event());
  }
  if (audience.pictures > 0 && (now.moment > published_.moment || audience.hungry_pictures)) {
    if (const Bytes jpeg = control_.picture())
      hub_.publish(Stream::Slot::kPicture, picture_part(*jpeg));
  }
  published_ = now;
}

}  // namespace jackdaw::live
