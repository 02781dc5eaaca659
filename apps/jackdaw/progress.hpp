// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A line on the terminal that says how far something is and how long it will take. Where stderr is
// not a terminal it prints nothing.
//
//   Progress progress("calibrating", total);
//   for (...) progress.step();

#include <chrono>
#include <cstdint>
#include <string>

namespace jackdaw::app {

class Progress {
 public:
  Progress(std::string what, std::uint64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();  // clears the line

  void step(std::uint64_t by = 1);
  void set(std::uint64_t done) { step(done - done_); }  // where somebody else counts

 private:
  using Clock = std::chrono::steady_clock;

  void show();

  std::string what_;
  std::uint64_t total_, done_ = 0;
  bool on_terminal_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

}  // namespace jackdaw::app
