// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/frozen.hpp"

#include <algorithm>

namespace jackdaw::live {
namespace {

constexpr std::uint32_t kColumns = 64, kRows = 48;

std::size_t pixel_bytes(PixelFormat format) {
  return format == PixelFormat::kBgr || format == PixelFormat::kRgb ? 3 : 1;
}

}  // namespace

FrozenDetector::FrozenDetector(FrozenRule rule) : rule_(rule) {}

void FrozenDetector::restart() {
  last_.clear();
  same_ = 0;
}

bool FrozenDetector::same_again(const FrameView& frame, double captured_at) {
  if (check(frame) != Status::kOk || frame.memory != FrameMemory::kHost) return false;
  const std::size_t bytes = pixel_bytes(frame.format);
  now_.clear();
  const std::uint32_t rows = std::min(kRows, frame.height),
                      columns = std::min(kColumns, frame.width);
  for (std::uint32_t r = 0; r < rows; ++r) {
    const std::size_t y = std::size_t{r} * frame.height / rows;
    for (std::uint32_t c = 0; c < columns; ++c) {
      const std::size_t x = std::size_t{c} * frame.width / columns;
      const std::byte* pixel = frame.data + y * frame.stride + x * bytes;
      now_.insert(now_.end(), pixel, pixel + bytes);
    }
  }
  const bool same = frame.width == width_ && frame.height == height_ && now_ == last_;
  if (!same) {
    std::swap(now_, last_);
    width_ = frame.width;
    height_ = frame.height;
    same_ = 1;
    since_ = captured_at;
    return false;
  }
  ++same_;
  return same_ > rule_.frames && captured_at - since_ > rule_.seconds;
}

}  // namespace jackdaw::live
