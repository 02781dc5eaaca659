// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Owns a file descriptor.
//
//   Descriptor file(::open(…));
//   if (!file) …                       // errno says why

#include <unistd.h>

namespace jackdaw::state {

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { static_cast<void>(close()); }

  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

  // As close(2): 0, or -1 and errno; 0 if there is nothing to close. Not repeated on EINTR: on
  // Linux the descriptor is gone by then.
  int close() noexcept {
    const int fd = fd_;
    fd_ = -1;
    return fd >= 0 ? ::close(fd) : 0;
  }

 private:
  int fd_;
};

}  // namespace jackdaw::state
