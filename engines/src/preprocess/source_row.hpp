// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A row of a frame as floats, channels interleaved: what the columns are resampled from.
//
//   const SourceRow source(frame, target.colour);
//   source.read(y, row);     // the first frame.width * source.lanes() of 3 * frame.width floats
//
// One lane a pixel if the frame or the input is grey, else three: in the order of the frame's
// bytes, red first for NV12. Every step is a pass of its own over the row, because that becomes
// vector code (clamping inside of the conversion became branches, several times slower).

#include <cstdint>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "preprocess/colour.hpp"

namespace jackdaw {

class SourceRow {
 public:
  SourceRow(const FrameView& frame, ColourOrder wanted) noexcept
      : frame_(frame), to_grey_(wanted == ColourOrder::kGrey) {}

  unsigned lanes() const noexcept {
    return to_grey_ || frame_.format == PixelFormat::kGrey ? 1 : 3;
  }

  void read(std::uint32_t y, float* row) const noexcept {
    const std::uint8_t* bytes = at(frame_.data, y * frame_.stride);
    const std::size_t width = frame_.width;
    if (frame_.format == PixelFormat::kGrey) {
      copy(bytes, width, row);
      return;
    }
    if (frame_.format == PixelFormat::kNv12) {
      colour_pairs(bytes, at(frame_.colour, y / 2 * frame_.colour_stride), width, row);
      for (std::size_t i = 0; i < 3 * width; ++i) row[i] = in_range(row[i]);
    } else {
      copy(bytes, 3 * width, row);
    }
    if (!to_grey_) return;
    const unsigned red = frame_.format == PixelFormat::kBgr ? 2 : 0;
    for (std::size_t x = 0; x < width; ++x)
      row[x] = grey_of(row[3 * x + red], row[3 * x + 1], row[3 * x + 2 - red]);
  }

 private:
  static const std::uint8_t* at(const std::byte* plane, std::size_t offset) noexcept {
    return reinterpret_cast<const std::uint8_t*>(plane) + offset;
  }

  static void copy(const std::uint8_t* __restrict bytes, std::size_t count,
                   float* __restrict row) noexcept {
    for (std::size_t i = 0; i < count; ++i) row[i] = bytes[i];
  }

  static void colour_pairs(const std::uint8_t* __restrict bytes,
                           const std::uint8_t* __restrict colours, std::size_t width,
                           float* __restrict row) noexcept {
    for (std::size_t x = 0; x < width; x += 2) {
      const float u = colours[x];
      const float v = colours[x + 1];
      const float added[3] = {red_of(v), green_of(u, v), blue_of(u)};
      const std::size_t last = x + 1 < width ? x + 1 : x;  // an odd width: one pixel twice
      for (const std::size_t i : {x, last}) {
        const float light = brightness(bytes[i]);
        for (unsigned lane = 0; lane < 3; ++lane) row[3 * i + lane] = light + added[lane];
      }
    }
  }

  const FrameView& frame_;
  bool to_grey_;
};

}  // namespace jackdaw
