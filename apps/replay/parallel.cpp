// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace jackdaw::replay {

void in_parallel(std::size_t jobs, std::uint32_t threads,
                 const std::function<void(std::size_t, const std::atomic<bool>&)>& job,
                 const std::function<void()>& after_each) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr first;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs && !stop.load(); i = next++) {
      try {
        job(i, stop);
        const std::lock_guard<std::mutex> lock(mutex);
        if (after_each) after_each();
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!first) first = std::current_exception();
        stop = true;
      }
    }
  };
  std::vector<std::thread> others;
  try {
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, jobs); ++t) {
      others.emplace_back(work);
    }
  } catch (const std::system_error&) {  // the system gives no more; those that there are will do
  }
  work();
  for (std::thread& other : others) other.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace jackdaw::replay
