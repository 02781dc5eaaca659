// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/variation.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "live/variation/backdrop.hpp"
#include "live/variation/object_mask.hpp"

namespace jackdaw::live {
namespace {

constexpr std::int32_t kOne = 1024;  // of shares

std::int32_t between(Random& random, std::int32_t low, std::int32_t high) {  // both included
  return low + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

// The part of the frame that fills the variation.
struct Window {
  std::int32_t left, top, width, height;  // in 1/1024 of the frame's sides
};

Window draw_window(Random& random) {
  const std::int32_t side = between(random, kOne * 7 / 10, kOne);
  const std::int32_t stretch = side * between(random, -kOne / 12, kOne / 12) / kOne;
  const std::int32_t width = std::min(side + stretch, kOne);
  const std::int32_t height = std::min(side - stretch, kOne);
  const std::int32_t left = between(random, 0, kOne - width);
  return {left, between(random, 0, kOne - height), width, height};
}

// Where an output position lies between two source positions, in 1/256.
struct Between {
  std::size_t first, second;
  std::int32_t share;  // of the second
};

Between locate(std::uint32_t at, std::uint32_t length, std::int32_t start, std::int32_t window) {
  const std::int64_t size = length;
  // The position's middle, in 1/256 of a source pixel, from the first pixel's middle on.
  const std::int64_t middle =
      (2 * start * size + (2 * std::int64_t{at} + 1) * window) * 256 / (2 * kOne) - 128;
  const std::int64_t held = std::clamp<std::int64_t>(middle, 0, 256 * (size - 1));
  const auto first = static_cast<std::size_t>(held / 256);
  return {first, std::min<std::size_t>(first + 1, length - 1),
          static_cast<std::int32_t>(held % 256)};
}

// Lays the window of the frame over the backdrop that `varied` holds, where the mask says object.
void compose(const SmallFrame& frame, const ObjectMask& mask, const Window& window,
             SmallFrame& varied) {
  std::array<Between, kMostSmallPixelsASide> columns;
  for (std::uint32_t x = 0; x < frame.width; ++x) {
    columns[x] = locate(x, frame.width, window.left, window.width);
  }
  std::uint8_t* out = varied.pixels.data();
  for (std::uint32_t y = 0; y < frame.height; ++y) {
    const Between row = locate(y, frame.height, window.top, window.height);
    const std::size_t above = row.first * frame.width, below = row.second * frame.width;
    for (std::uint32_t x = 0; x < frame.width; ++x, out += 3) {
      const Between& column = columns[x];
      const auto sample = [&](const std::uint8_t* from, std::size_t step) {
        const auto at = [&](std::size_t pixel) { return std::int32_t{from[pixel * step]}; };
        const std::int32_t upper = at(above + column.first) * (256 - column.share) +
                                   at(above + column.second) * column.share;
        const std::int32_t lower = at(below + column.first) * (256 - column.share) +
                                   at(below + column.second) * column.share;
        return (upper * (256 - row.share) + lower * row.share + 32768) >> 16;
      };
      const std::int32_t object = sample(mask.share.data(), 1);
      if (object == 0) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int32_t seen = sample(frame.pixels.data() + k, 3);
        out[k] = static_cast<std::uint8_t>((seen * object + out[k] * (255 - object)) / 255);
      }
    }
  }
}

}  // namespace

Status Variations::make(const SmallFrame& frame, std::uint64_t frame_number, std::uint32_t i,
                        SmallFrame& varied) const noexcept {
  if (frame.width == 0 || frame.height == 0 || frame.width > kMostSmallPixelsASide ||
      frame.height > kMostSmallPixelsASide || &frame == &varied) {
    return Status::kBadFrame;
  }
  Random random(mix(mix(options_.seed, frame_number), i));
  ObjectMask mask;
  if (!find_object(frame, mask)) {  // something is held before the middle of the camera
    const auto half = [&] { return between(random, kOne * 35 / 100, kOne * 65 / 100); };
    const auto middle = [&] { return between(random, kOne * 45 / 100, kOne * 55 / 100); };
    const std::int32_t x = middle(), y = middle(), half_width = half();
    cover_ellipse(frame, {x, y, half_width, half()}, mask);
  }
  varied.width = frame.width;
  varied.height = frame.height;
  draw_backdrop(random, varied);
  compose(frame, mask, draw_window(random), varied);
  return Status::kOk;
}

}  // namespace jackdaw::live
