// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/small_frame.hpp"

#include <algorithm>

#include "jackdaw/span.hpp"

namespace jackdaw::live {
namespace {

// Output position `at` of `to` covers source positions [first, last), at least one.
struct Cover {
  std::uint32_t first, last;
};

Cover cover(std::uint32_t at, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t first = at * from / to;  // both at most 16384: no overflow
  return {first, std::max(first + 1, (at + 1) * from / to)};
}

// Adds what each column covers of one source row, blue, green and red, to its three sums.
void add_row(const std::uint8_t* row, std::size_t channels, const std::array<std::size_t, 3>& at,
             Span<const Cover> columns, std::uint32_t* sums) {
  for (const Cover& column : columns) {
    std::uint32_t blue = 0, green = 0, red = 0;
    const std::uint8_t* last = row + column.last * channels;
    for (const std::uint8_t* p = row + column.first * channels; p < last; p += channels) {
      blue += p[at[0]];
      green += p[at[1]];
      red += p[at[2]];
    }
    *sums++ += blue;
    *sums++ += green;
    *sums++ += red;
  }
}

}  // namespace

Status shrink(const FrameView& frame, SmallFrame& small) noexcept {
  if (check(frame) != Status::kOk || frame.memory != FrameMemory::kHost ||
      frame.format == PixelFormat::kNv12) {
    return Status::kBadFrame;
  }
  const std::size_t channels = frame.format == PixelFormat::kGrey ? 1 : 3;
  // Where blue, green and red lie in a source pixel.
  const std::array<std::size_t, 3> at =
      frame.format == PixelFormat::kBgr   ? std::array<std::size_t, 3>{0, 1, 2}
      : frame.format == PixelFormat::kRgb ? std::array<std::size_t, 3>{2, 1, 0}
                                          : std::array<std::size_t, 3>{0, 0, 0};
  small.width = std::min(frame.width, kMostSmallPixelsASide);
  small.height = std::min(frame.height, kMostSmallPixelsASide);
  std::array<Cover, kMostSmallPixelsASide> columns;
  for (std::uint32_t x = 0; x < small.width; ++x) {
    columns[x] = cover(x, frame.width, small.width);
  }
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(frame.data);
  std::uint8_t* out = small.pixels.data();
  for (std::uint32_t y = 0; y < small.height; ++y) {
    const Cover rows = cover(y, frame.height, small.height);
    std::array<std::uint32_t, 3 * kMostSmallPixelsASide> sums{};  // of at most 103 * 103 pixels
    for (std::uint32_t r = rows.first; r < rows.last; ++r) {
      add_row(pixels + r * frame.stride, channels, at, {columns.data(), small.width}, sums.data());
    }
    for (std::uint32_t x = 0; x < small.width; ++x) {
      const std::uint32_t covered = (rows.last - rows.first) * (columns[x].last - columns[x].first);
      for (std::size_t k = 0; k < 3; ++k) {
        *out++ = static_cast<std::uint8_t>((sums[3 * x + k] + covered / 2) / covered);
      }
    }
  }
  return Status::kOk;
}

}  // namespace jackdaw::live
