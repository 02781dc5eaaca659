// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/trt_log.hpp"

namespace jackdaw::trt {

void Logger::set(Function function, void* user) noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  function_ = function;
  user_ = user;
}

void Logger::log(Severity severity, nvinfer1::AsciiChar const* text) noexcept {
  switch (severity) {
    case Severity::kINTERNAL_ERROR:
    case Severity::kERROR:
      try {
        const std::lock_guard<std::mutex> lock(guard_);
        if (first_error_.empty()) first_error_ = text;
      } catch (...) {  // no memory: the message itself still goes out
      }
      return say(JACKDAW_TRT_ERROR, text);
    case Severity::kWARNING:
      return say(JACKDAW_TRT_WARNING, text);
    default:  // hundreds of lines for each build, about TensorRT's inside
      return;
  }
}

void Logger::say(int level, const char* text) noexcept {
  Function function = nullptr;
  void* user = nullptr;
  {
    const std::lock_guard<std::mutex> lock(guard_);
    function = function_;
    user = user_;
  }
  if (function != nullptr) function(user, level, text);
}

void Logger::forget() noexcept {
  const std::lock_guard<std::mutex> lock(guard_);
  first_error_.clear();
}

std::string Logger::because() const {
  const std::lock_guard<std::mutex> lock(guard_);
  return first_error_.empty() ? std::string() : ": " + first_error_;
}

Logger& logger() noexcept {
  static Logger* const instance = new Logger;
  return *instance;
}

}  // namespace jackdaw::trt
