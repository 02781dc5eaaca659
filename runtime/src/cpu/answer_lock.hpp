// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several threads answer, one changes the rows: a reader-writer lock in which a waiting writer goes
// first, so that constant answering cannot keep teaching out (std::shared_mutex may allow that).

#include <mutex>
#include <shared_mutex>

namespace jackdaw {

class AnswerLock {
 public:
  void lock_shared() {
    { const std::lock_guard<std::mutex> pass(gate_); }
    rows_.lock_shared();
  }
  void unlock_shared() { rows_.unlock_shared(); }

  void lock() {
    gate_.lock();  // new readers wait here while the writer waits for the old ones
    rows_.lock();
  }
  void unlock() {
    rows_.unlock();
    gate_.unlock();
  }

 private:
  std::mutex gate_;
  std::shared_mutex rows_;
};

}  // namespace jackdaw
