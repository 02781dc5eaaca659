// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// TensorRT's own messages, for the program's log and for our errors.
//
//   logger().set(function, user);                // where they go
//   logger().forget();  …  throw Error("…" + logger().because());

#include <mutex>
#include <string>

#include "trt/module.h"
#include "trt/trt_compat.hpp"

namespace jackdaw::trt {

class Logger final : public nvinfer1::ILogger {
 public:
  using Function = void (*)(void* user, int level, const char* text);

  void set(Function function, void* user) noexcept;
  void log(Severity severity, nvinfer1::AsciiChar const* text) noexcept override;
  void say(int level, const char* text) noexcept;

  void forget() noexcept;  // the error of before
  // ": " and the first error since forget(), or nothing.
  std::string because() const;

 private:
  mutable std::mutex guard_;
  Function function_ = nullptr;
  void* user_ = nullptr;
  std::string first_error_;
};

// One for the process, and never destroyed: TensorRT may log until the very end.
Logger& logger() noexcept;

}  // namespace jackdaw::trt
