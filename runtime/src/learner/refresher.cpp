// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "learner/refresher.hpp"

#include <chrono>

namespace jackdaw {

Refresher::Refresher(Ensemble& ensemble, bool in_background) : ensemble_(ensemble) {
  if (in_background && ensemble.settings().profile == Profile::kDefault) {
    thread_ = std::thread([this] { run(); });
  }
}

Refresher::~Refresher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Refresher::taught() noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++total_;
    ++fresh_;
  }
  wake_.notify_one();
}

Status Refresher::refresh_now() noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    fresh_ = 0;  // before the work: what is taught meanwhile counts for the next time
  }
  const auto start = std::chrono::steady_clock::now();
  const Status status = ensemble_.refresh();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const std::lock_guard<std::mutex> lock(mutex_);
  ++count_;
  last_seconds_ = took.count();
  return status;
}

void Refresher::run() noexcept {
  constexpr std::chrono::milliseconds kLongest{2000};
  std::unique_lock<std::mutex> lock(mutex_);
  while (!stop_) {
    wake_.wait(lock, [&] { return stop_ || fresh_ > 0; });
    wake_.wait_for(lock, kLongest, [&] { return stop_ || due_at_once(); });
    if (stop_) return;
    lock.unlock();
    static_cast<void>(refresh_now());
    lock.lock();
  }
}

std::uint64_t Refresher::count() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}

double Refresher::last_seconds() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return last_seconds_;
}

}  // namespace jackdaw
