// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/errands.hpp"

#include <chrono>

namespace jackdaw::live {

bool Errands::ask(std::function<void()> errand, double seconds) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (closed_ || queue_.size() >= kMost) return false;
  auto asked = std::make_shared<Errand>();
  asked->run = std::move(errand);
  queue_.push_back(asked);
  const auto settled = [&] { return asked->state == Errand::kDone || closed_; };
  if (!done_.wait_for(lock, std::chrono::duration<double>(seconds), settled) &&
      asked->state == Errand::kWaiting) {
    asked->state = Errand::kGivenUp;
    return false;
  }
  // It has begun: what it refers to must stay until it ends.
  done_.wait(lock, [&] { return asked->state != Errand::kRunning; });
  return asked->state == Errand::kDone;
}

bool Errands::waiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !queue_.empty();
}

bool Errands::closed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return closed_;
}

void Errands::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!queue_.empty()) {
    const std::shared_ptr<Errand> next = queue_.front();
    queue_.pop_front();
    if (next->state == Errand::kGivenUp) continue;
    next->state = Errand::kRunning;
    lock.unlock();
    next->run();
    lock.lock();
    next->state = Errand::kDone;
    done_.notify_all();
  }
}

void Errands::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  queue_.clear();
  done_.notify_all();
}

}  // namespace jackdaw::live
