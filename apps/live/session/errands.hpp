// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What other threads want done between two frames. The frame loop is the only thread that touches
// the learner, the encoder and what is shown, so nothing of it needs a lock of its own.
//
//   errands.ask([&] { ... }, 5.0)        // any thread: waits until the loop has done it
//   errands.run();                       // the loop, between two frames

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace jackdaw::live {

class Errands {
 public:
  static constexpr std::size_t kMost = 64;

  // False: too many wait already, the loop is gone, or it did not come to it in time; then it is
  // not done later either. `errand` must not throw.
  bool ask(std::function<void()> errand, double seconds);
  bool waiting() const;
  bool closed() const;
  void run();
  void close();  // the loop ends; nobody waits any longer

 private:
  struct Errand {
    std::function<void()> run;
    enum { kWaiting, kRunning, kDone, kGivenUp } state = kWaiting;
  };

  mutable std::mutex mutex_;
  std::condition_variable done_;
  std::deque<std::shared_ptr<Errand>> queue_;
  bool closed_ = false;
};

}  // namespace jackdaw::live
