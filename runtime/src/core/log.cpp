// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/log.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace jackdaw {
namespace {

std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

// Shared, so that a message under way keeps the callback alive while another thread replaces it.
std::shared_ptr<const LogCallback>& current() {
  static std::shared_ptr<const LogCallback> callback;
  return callback;
}

}  // namespace

void set_log(LogCallback callback) {
  auto next = callback ? std::make_shared<const LogCallback>(std::move(callback)) : nullptr;
  const std::lock_guard<std::mutex> lock(guard());
  current() = std::move(next);
}

void log(LogLevel level, const std::string& text) noexcept {
  try {
    std::shared_ptr<const LogCallback> callback;
    {
      const std::lock_guard<std::mutex> lock(guard());
      callback = current();
    }
    if (callback) (*callback)(level, text.c_str());
  } catch (...) {
    // A log that cannot be written must not take the caller down.
  }
}

}  // namespace jackdaw
