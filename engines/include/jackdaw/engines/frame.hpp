// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A picture that somebody else owns: a camera's buffer, a decoded file, memory of the GPU. A view,
// no copy: it must stay alive and unchanged until the call that got it returns.
//
//   FrameView frame{PixelFormat::kBgr, 640, 480, pixels, 640 * 3};
//   if (check(frame) != Status::kOk) ...

#include <cstddef>
#include <cstdint>

#include "jackdaw/status.hpp"

namespace jackdaw {

enum class PixelFormat : std::uint8_t {
  kBgr,   // 3 bytes a pixel, as OpenCV has it
  kRgb,   // 3 bytes a pixel
  kGrey,  // 1 byte a pixel
  kNv12,  // a plane of brightness, then one of interleaved colour at half the size (BT.601,
          // limited)
};

enum class FrameMemory : std::uint8_t { kHost, kDevice };

struct FrameView {
  PixelFormat format = PixelFormat::kBgr;
  std::uint32_t width = 0;   // pixels
  std::uint32_t height = 0;  // pixels
  const std::byte* data = nullptr;
  std::size_t stride = 0;  // bytes from one row to the next
  // NV12 only: the colour plane, ceil(height/2) rows of ceil(width/2) pairs.
  const std::byte* colour = nullptr;
  std::size_t colour_stride = 0;
  FrameMemory memory = FrameMemory::kHost;
};

constexpr std::uint32_t kMostPixelsASide = 16384;

// kBadFrame if it has no pixels, is larger than kMostPixelsASide on a side, or its rows overlap.
Status check(const FrameView& frame) noexcept;

}  // namespace jackdaw
