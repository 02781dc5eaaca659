// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/build_progress.hpp"

#include <algorithm>
#include <utility>

namespace jackdaw::trt {
namespace {

constexpr double kSmallestStep = 0.002;  // what a progress bar can show

}  // namespace

BuildProgress::BuildProgress(double from, double to, Report report)
    : from_(from), to_(to), report_(std::move(report)) {}

bool BuildProgress::report(double done, const char* step) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  return tell(done, step);
}

bool BuildProgress::cancelled() const noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  return cancelled_;
}

void BuildProgress::phaseStart(char const* name, char const*, std::int32_t steps) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  try {
    phases_.push_back({name, std::max(steps, 1), 0});
  } catch (...) {  // no memory: this phase is not counted
    return;
  }
  tell(from_ + (to_ - from_) * share(), name);
}

bool BuildProgress::stepComplete(char const* name, std::int32_t step) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  for (auto phase = phases_.rbegin(); phase != phases_.rend(); ++phase) {
    if (phase->name != name) continue;
    phase->done = std::clamp(step + 1, phase->done, phase->steps);
    break;
  }
  const double done = from_ + (to_ - from_) * share();
  if (done - told_ >= kSmallestStep) tell(done, name);
  return !cancelled_;
}

void BuildProgress::phaseFinish(char const* name) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  for (std::size_t i = phases_.size(); i-- > 0;) {
    if (phases_[i].name != name) continue;
    phases_.erase(phases_.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

double BuildProgress::share() const noexcept {
  double done = 0.0, width = 1.0;
  for (const Phase& phase : phases_) {
    width /= phase.steps;
    done += width * phase.done;
  }
  return std::min(done, 1.0);
}

bool BuildProgress::tell(double done, const char* step) noexcept {
  told_ = std::max(told_, done);
  try {
    if (report_ && !report_(told_, step)) cancelled_ = true;
  } catch (...) {
    cancelled_ = true;
  }
  return !cancelled_;
}

}  // namespace jackdaw::trt
