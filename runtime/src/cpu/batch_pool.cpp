// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu/batch_pool.hpp"

#include <chrono>
#include <exception>

namespace jackdaw {
namespace {

// Batches often follow each other at once; a sleeping thread would take longer to wake than to
// work.
constexpr std::chrono::microseconds kSpin{200};

template <class Done>
bool spin_until(const Done& done) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return done();
  }
  return true;
}

}  // namespace

BatchPool::~BatchPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool BatchPool::start() noexcept {
  if (!workers_.empty()) return true;
  try {
    for (std::uint32_t part = 1; part < threads_; ++part) {
      workers_.emplace_back([this, part] { serve(part); });
    }
  } catch (const std::exception&) {
    // No more threads to be had: those that started take part, the caller does the rest.
  }
  return !workers_.empty();
}

bool BatchPool::run_job(std::uint32_t parts, const Job& job) noexcept {
  const std::unique_lock<std::mutex> mine(in_use_, std::try_to_lock);
  if (!mine || !start()) return false;
  const auto helpers = static_cast<std::uint32_t>(workers_.size());
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    job_ = job;
    parts_ = parts;
    busy_ = helpers;
    ++round_;
  }
  wake_.notify_all();
  job.call(job.work, 0);
  for (std::uint32_t part = helpers + 1; part < parts; ++part) job.call(job.work, part);
  while (busy_.load(std::memory_order_acquire) != 0) std::this_thread::yield();
  return true;
}

void BatchPool::serve(std::uint32_t part) noexcept {
  std::uint64_t seen = 0;
  while (true) {
    const auto called = [&] {
      return stop_.load() || round_.load(std::memory_order_acquire) != seen;
    };
    Job job;
    std::uint32_t parts = 0;
    {
      if (!spin_until(called)) {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, called);
      }
      const std::lock_guard<std::mutex> lock(mutex_);
      if (stop_) return;
      seen = round_;
      job = job_;
      parts = parts_;
    }
    if (part < parts) job.call(job.work, part);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace jackdaw
