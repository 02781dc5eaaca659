// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/worker.hpp"

#include <utility>

namespace jackdaw::live {

Worker::Worker(std::size_t most_queued) : most_queued_(most_queued), thread_([this] { loop(); }) {}

bool Worker::submit(Task task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (stopping_ || queue_.size() >= most_queued_) return false;
  queue_.push_back(std::move(task));
  changed_.notify_one();
  return true;
}

void Worker::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  for (Task& task : std::exchange(queue_, {})) task.give_up();  // nobody else is left to touch it
}

void Worker::loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) return;
    const Task task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    task.run();
    lock.lock();
  }
}

}  // namespace jackdaw::live
