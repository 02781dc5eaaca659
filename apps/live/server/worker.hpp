// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One thread that does what is asked of it in turn, and a bounded queue before it.
//
//   Worker worker(16);
//   if (!worker.submit({run, give_up})) refuse(503);
//
// Every task that was taken is either run or, when the worker stops first, given up; exactly one of
// its two functions is called. Neither may throw.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace jackdaw::live {

class Worker {
 public:
  struct Task {
    std::function<void()> run, give_up;
  };

  explicit Worker(std::size_t most_queued);
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // False: the queue is full, or the worker has stopped.
  bool submit(Task task);
  // Waits for the task that runs and gives up those that wait.
  void stop();

 private:
  void loop();

  const std::size_t most_queued_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> queue_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace jackdaw::live
