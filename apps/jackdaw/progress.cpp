// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace jackdaw::app {

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total), on_terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (on_terminal_ && done_ > 0) std::fprintf(stderr, "\r\033[K");
}

void Progress::step(std::uint64_t by) {
  done_ += by;
  const auto now = Clock::now();
  if (!on_terminal_ || now - shown_ < std::chrono::milliseconds(200)) return;
  shown_ = now;
  show();
}

void Progress::show() {
  constexpr int kWidth = 30;
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done_) / static_cast<double>(total_);
  const double spent = std::chrono::duration<double>(shown_ - start_).count();
  const auto left = static_cast<long>(share > 0.0 ? spent / share - spent : 0.0);
  const int filled = static_cast<int>(share * kWidth);
  std::fprintf(stderr, "\r\033[K%s [%.*s%*s] %llu of %llu, %ld:%02ld left", what_.c_str(), filled,
               "##############################", kWidth - filled, "",
               static_cast<unsigned long long>(done_), static_cast<unsigned long long>(total_),
               left / 60, left % 60);
  std::fflush(stderr);
}

}  // namespace jackdaw::app
