// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads a file of any size through one buffer of fixed size.
//
//   ReadWindow window(file, file_bytes);
//   Span<const std::byte> head;
//   if (IoError error = window.at(0, 16, head)) return error;   // head.size() < 16 at the end

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/file_system.hpp"

namespace jackdaw::state {

class ReadWindow {
 public:
  // The most that at() gives at once.
  static constexpr std::size_t kBytes = std::size_t{256} * 1024;

  ReadWindow(File& file, std::uint64_t file_bytes)
      : file_(file),
        file_bytes_(file_bytes),
        buffer_(static_cast<std::size_t>(std::min<std::uint64_t>(kBytes, file_bytes))) {}

  std::uint64_t file_bytes() const noexcept { return file_bytes_; }

  // The bytes [offset, offset + count), shorter where the file ends. Valid until the next call.
  IoError at(std::uint64_t offset, std::size_t count, Span<const std::byte>& out) {
    out = {};
    if (offset >= file_bytes_) return {};
    count = static_cast<std::size_t>(
        std::min<std::uint64_t>(std::min(count, buffer_.size()), file_bytes_ - offset));
    if (offset < start_ || offset - start_ > filled_ || filled_ - (offset - start_) < count) {
      filled_ = 0;
      start_ = offset;
      if (const IoError error = file_.read_at(offset, buffer_, filled_)) return error;
    }
    const auto skip = static_cast<std::size_t>(offset - start_);
    out = Span<const std::byte>(buffer_).subspan(skip, std::min(count, filled_ - skip));
    return {};
  }

 private:
  File& file_;
  std::uint64_t file_bytes_;
  std::vector<std::byte> buffer_;
  std::uint64_t start_ = 0;
  std::size_t filled_ = 0;
};

}  // namespace jackdaw::state
