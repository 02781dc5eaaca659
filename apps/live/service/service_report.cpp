// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/service/service_report.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace jackdaw::live {
namespace {

constexpr double kStatusEvery = 5.0;       // seconds
constexpr double kShareOfPatience = 0.25;  // of the watchdog's: two messages may be late or lost

// A line break would begin another field of the message.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return text;
}

}  // namespace

std::string status_line(const State& state, const Moment& moment) {
  char line[96];
  std::snprintf(line, sizeof line, "%.1f frames a second, %zu %s", moment.answered_rate,
                state.classes.size(), state.classes.size() == 1 ? "class" : "classes");
  switch (state.source_status) {
    case SourceStatus::kOpening:
      return on_one_line("opening " + state.source_uri);
    case SourceStatus::kLost:
      return on_one_line("no picture, trying again: " + state.source_message);
    case SourceStatus::kFrozen:
      return "the camera shows the same picture again and again";
    case SourceStatus::kEnded:
      return "the source is at its end";
    case SourceStatus::kRunning:
      break;
  }
  if (!state.problems.empty()) return on_one_line(line + ("; " + state.problems.front().text));
  const bool known = moment.answer.class_id != 0;
  return on_one_line(line + ("; " + (known ? moment.answer.name : std::string("unknown"))));
}

ServiceReport::ServiceReport(NotifySocket socket, double watchdog_seconds)
    : socket_(std::move(socket)),
      watched_(watchdog_seconds > 0.0),
      every_(watched_ ? std::min(kStatusEvery, watchdog_seconds * kShareOfPatience)
                      : kStatusEvery) {}

void ServiceReport::turn(const Control& control, std::uint64_t turns, double now) {
  if (!socket_.asked() || turns == turns_) return;
  if (ready_ && now - sent_at_ < every_) return;
  std::string text = ready_ ? "" : "READY=1\n";
  if (watched_) text += "WATCHDOG=1\n";
  if (!socket_.send(text + "STATUS=" + status_line(control.state(), control.moment()))) return;
  ready_ = true;
  turns_ = turns;
  sent_at_ = now;
}

void ServiceReport::stopping() { socket_.send("STOPPING=1\nSTATUS=stopping"); }

}  // namespace jackdaw::live
