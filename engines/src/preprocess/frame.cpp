// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/frame.hpp"

namespace jackdaw {
namespace {

// Whether `rows` rows of `bytes` bytes, `stride` apart, lie one behind the other in the address
// space.
bool plane_fits(const std::byte* data, std::size_t stride, std::size_t bytes, std::size_t rows) {
  if (data == nullptr) return false;
  if (rows > 1 && stride < bytes) return false;
  const std::uintptr_t room = UINTPTR_MAX - reinterpret_cast<std::uintptr_t>(data);
  if (bytes > room) return false;
  return rows == 1 || stride <= (room - bytes) / (rows - 1);
}

}  // namespace

Status check(const FrameView& frame) noexcept {
  if (frame.width == 0 || frame.height == 0) return Status::kBadFrame;
  if (frame.width > kMostPixelsASide || frame.height > kMostPixelsASide) return Status::kBadFrame;
  if (frame.memory != FrameMemory::kHost && frame.memory != FrameMemory::kDevice)
    return Status::kBadFrame;

  std::size_t row = frame.width;
  switch (frame.format) {
    case PixelFormat::kBgr:
    case PixelFormat::kRgb:
      row *= 3;
      break;
    case PixelFormat::kGrey:
      break;
    case PixelFormat::kNv12: {
      const std::size_t pairs = (std::size_t{frame.width} + 1) / 2;
      const std::size_t rows = (std::size_t{frame.height} + 1) / 2;
      if (!plane_fits(frame.colour, frame.colour_stride, 2 * pairs, rows)) return Status::kBadFrame;
      break;
    }
    default:  // a number that is no format
      return Status::kBadFrame;
  }
  return plane_fits(frame.data, frame.stride, row, frame.height) ? Status::kOk : Status::kBadFrame;
}

}  // namespace jackdaw
