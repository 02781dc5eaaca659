// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A frame made small: at most 160 pixels a side, which is more than encoders take in. It holds its
// pixels itself, so it can be copied into a queue while the camera's buffer is used again.
//
//   SmallFrame small;
//   if (shrink(frame, small) == Status::kOk) queue.push(small);
//   ...
//   encoder->encode({&view, 1}, embedding);       // FrameView view = small.view();

#include <array>
#include <cstddef>
#include <cstdint>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw::live {

constexpr std::uint32_t kMostSmallPixelsASide = 160;

struct SmallFrame {
  std::uint32_t width = 0;                                                               // pixels
  std::uint32_t height = 0;                                                              // pixels
  std::array<std::uint8_t, 3 * kMostSmallPixelsASide * kMostSmallPixelsASide> pixels{};  // BGR

  // Into pixels, rows without gaps: valid as long as this object stays where it is.
  FrameView view() const noexcept {
    return {PixelFormat::kBgr, width, height, reinterpret_cast<const std::byte*>(pixels.data()),
            std::size_t{3} * width};
  }
};

// Brings each axis by itself to at most 160 pixels, by the mean of what a pixel covers: encoders
// stretch a frame to their input anyway. Axes that are short enough stay as they are. BGR, RGB and
// grey in host memory; kBadFrame for anything else, and then `small` is unchanged.
Status shrink(const FrameView& frame, SmallFrame& small) noexcept;

}  // namespace jackdaw::live
