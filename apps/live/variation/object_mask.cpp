// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/object_mask.hpp"

#include <algorithm>
#include <cstdlib>

namespace jackdaw::live {
namespace {

constexpr std::uint8_t kObject = 255;
constexpr int kTolerance = 40;  // largest difference in any channel from the border's colour
constexpr std::size_t kMostPixels = std::size_t{kMostSmallPixelsASide} * kMostSmallPixelsASide;

using Colour = std::array<int, 3>;

Colour colour_at(const SmallFrame& frame, std::size_t pixel) {
  const std::uint8_t* p = frame.pixels.data() + 3 * pixel;
  return {p[0], p[1], p[2]};
}

bool close(const Colour& a, const Colour& b) {
  return std::abs(a[0] - b[0]) <= kTolerance && std::abs(a[1] - b[1]) <= kTolerance &&
         std::abs(a[2] - b[2]) <= kTolerance;
}

template <typename Visit>  // with the index of each pixel of the border, corners once
void along_border(const SmallFrame& frame, Visit visit) {
  const std::size_t w = frame.width, h = frame.height;
  for (std::size_t x = 0; x < w; ++x) {
    visit(x);
    if (h > 1) visit((h - 1) * w + x);
  }
  for (std::size_t y = 1; y + 1 < h; ++y) {
    visit(y * w);
    if (w > 1) visit(y * w + w - 1);
  }
}

// The mean of the fullest of 8x8x8 boxes of colour; and how many pixels of the border are close.
struct BorderColour {
  Colour colour{};
  std::uint32_t close_pixels = 0, pixels = 0;
};

BorderColour border_colour(const SmallFrame& frame) {
  const auto box_of = [](const Colour& c) {
    return static_cast<std::size_t>((c[0] >> 5) << 6 | (c[1] >> 5) << 3 | c[2] >> 5);
  };
  std::array<std::uint16_t, 512> boxes{};
  along_border(frame, [&](std::size_t i) { ++boxes[box_of(colour_at(frame, i))]; });
  const auto fullest =
      static_cast<std::size_t>(std::max_element(boxes.begin(), boxes.end()) - boxes.begin());
  BorderColour out;
  Colour sum{};
  along_border(frame, [&](std::size_t i) {
    const Colour c = colour_at(frame, i);
    if (box_of(c) != fullest) return;
    for (std::size_t k = 0; k < 3; ++k) sum[k] += c[k];
  });
  for (std::size_t k = 0; k < 3; ++k) out.colour[k] = sum[k] / boxes[fullest];
  along_border(frame, [&](std::size_t i) {
    ++out.pixels;
    out.close_pixels += close(colour_at(frame, i), out.colour) ? 1U : 0U;
  });
  return out;
}

// Clears the mask where the background reaches in from the border; how many pixels that are.
std::uint32_t grow_from_border(const SmallFrame& frame, const Colour& background,
                               ObjectMask& mask) {
  std::array<std::uint16_t, kMostPixels> found;  // in the order they were; each once
  std::uint32_t count = 0;
  const auto visit = [&](std::size_t i) {
    if (mask.share[i] == 0 || !close(colour_at(frame, i), background)) return;
    mask.share[i] = 0;
    found[count++] = static_cast<std::uint16_t>(i);
  };
  along_border(frame, visit);
  const std::size_t w = frame.width, h = frame.height;
  for (std::uint32_t next = 0; next < count; ++next) {
    const std::size_t i = found[next], x = i % w, y = i / w;
    if (x > 0) visit(i - 1);
    if (x + 1 < w) visit(i + 1);
    if (y > 0) visit(i - w);
    if (y + 1 < h) visit(i + w);
  }
  return count;
}

// Each pixel the mean of the three around it along one axis, borders left as they are.
void soften(ObjectMask& mask, std::size_t lines, std::size_t line_step, std::size_t length,
            std::size_t step) {
  for (std::size_t line = 0; line < lines; ++line) {
    std::uint8_t* at = mask.share.data() + line * line_step;
    unsigned before = *at;
    for (std::size_t i = 1; i + 1 < length; ++i) {
      const unsigned here = at[i * step];
      at[i * step] = static_cast<std::uint8_t>((before + here + at[(i + 1) * step]) / 3);
      before = here;
    }
  }
}

}  // namespace

bool find_object(const SmallFrame& frame, ObjectMask& mask) noexcept {
  const std::size_t w = frame.width, h = frame.height, pixels = w * h;
  std::fill_n(mask.share.begin(), pixels, kObject);
  const BorderColour border = border_colour(frame);
  if (2 * border.close_pixels < border.pixels) return false;
  const std::uint32_t background = grow_from_border(frame, border.colour, mask);
  // An object is at least a 32nd of the frame, and so is what surrounds it.
  if (32 * background < pixels || 32 * (pixels - background) < pixels) {
    std::fill_n(mask.share.begin(), pixels, kObject);
    return false;
  }
  soften(mask, h, w, w, 1);
  soften(mask, w, 1, h, w);
  return true;
}

void cover_ellipse(const SmallFrame& frame, const Ellipse& ellipse, ObjectMask& mask) noexcept {
  constexpr std::int64_t kOne = 1024;
  // How far a position lies from the middle, squared; 1 at the ellipse.
  const auto distance = [](std::int64_t at, std::int64_t length, std::int64_t middle,
                           std::int64_t half) {
    const std::int64_t off = ((2 * at + 1) * kOne / (2 * length) - middle) * kOne / half;
    return off * off / kOne;
  };
  std::array<std::int64_t, kMostSmallPixelsASide> columns;
  for (std::uint32_t x = 0; x < frame.width; ++x) {
    columns[x] = distance(x, frame.width, ellipse.x, ellipse.half_width);
  }
  std::uint8_t* out = mask.share.data();
  for (std::uint32_t y = 0; y < frame.height; ++y) {
    const std::int64_t row = distance(y, frame.height, ellipse.y, ellipse.half_height);
    for (std::uint32_t x = 0; x < frame.width; ++x) {
      // Full up to 0.8, nothing from 1.2 on.
      const std::int64_t share = (kOne * 12 / 10 - columns[x] - row) * kObject * 10 / (kOne * 4);
      *out++ = static_cast<std::uint8_t>(std::clamp<std::int64_t>(share, 0, kObject));
    }
  }
}

}  // namespace jackdaw::live
