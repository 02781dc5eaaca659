// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A few threads that share the work of one batched call. They are started at the first such call
// and sleep in between.
//
//   pool.run(parts, [&](std::uint32_t part) { ... });   // part 0 in the caller's thread

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace jackdaw {

class BatchPool {
 public:
  explicit BatchPool(std::uint32_t threads) noexcept : threads_(threads) {}
  ~BatchPool();
  BatchPool(const BatchPool&) = delete;
  BatchPool& operator=(const BatchPool&) = delete;

  std::uint32_t threads() const noexcept { return threads_; }

  // Calls work(0) ... work(parts-1), each once, and returns when all are done; parts <= threads().
  // False, and nothing was called, while another caller uses the pool (what belongs to the parts is
  // in use, too) or if no thread can be started: then the caller does the work as one.
  template <class Work>
  [[nodiscard]] bool run(std::uint32_t parts, const Work& work) noexcept {
    const Job job{[](const void* w, std::uint32_t part) { (*static_cast<const Work*>(w))(part); },
                  &work};
    return run_job(parts, job);
  }

 private:
  struct Job {
    void (*call)(const void* work, std::uint32_t part) = nullptr;
    const void* work = nullptr;
  };

  bool run_job(std::uint32_t parts, const Job& job) noexcept;
  void serve(std::uint32_t part) noexcept;
  bool start() noexcept;

  const std::uint32_t threads_;
  std::mutex in_use_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Job job_;
  std::uint32_t parts_ = 0;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::uint32_t> busy_{0};
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

}  // namespace jackdaw
