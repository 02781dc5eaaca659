// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "views/mirrored_middle.hpp"

#include <cstring>

namespace jackdaw {
namespace {

struct Cut {
  std::size_t first = 0, count = 0;
};

// A sixteenth off both ends; even, so that NV12's colour pairs stay whole.
Cut middle_of(std::uint32_t side) {
  const std::size_t off = side / 32 * 2;
  return {side < 16 ? 0 : off, side < 16 ? side : side - 2 * off};
}

// Rows of `count` units of `unit` bytes, each row back to front.
void mirror_rows(const std::byte* from, std::size_t stride, std::size_t unit, Cut columns, Cut rows,
                 std::byte* to) {
  for (std::size_t y = 0; y < rows.count; ++y) {
    const std::byte* const row = from + (rows.first + y) * stride + columns.first * unit;
    for (std::size_t x = 0; x < columns.count; ++x, to += unit) {
      std::memcpy(to, row + (columns.count - 1 - x) * unit, unit);
    }
  }
}

Cut halved(Cut cut) { return {cut.first / 2, (cut.count + 1) / 2}; }

}  // namespace

void mirror_middle(const FrameView& frame, MirroredMiddle& out) {
  const bool nv12 = frame.format == PixelFormat::kNv12;
  const std::size_t unit = nv12 || frame.format == PixelFormat::kGrey ? 1 : 3;
  Cut columns = middle_of(frame.width);
  const Cut rows = middle_of(frame.height);
  // With an odd number of columns the last colour pair has one pixel; in the mirror it would come
  // first, so that column is left out.
  if (nv12 && columns.count % 2 == 1 && columns.count > 1) --columns.count;
  const std::size_t bytes = columns.count * rows.count * unit;
  const Cut colour_columns = halved(columns), colour_rows = halved(rows);
  out.pixels.resize(bytes + (nv12 ? colour_columns.count * colour_rows.count * 2 : 0));
  mirror_rows(frame.data, frame.stride, unit, columns, rows, out.pixels.data());
  out.view = frame;
  out.view.width = static_cast<std::uint32_t>(columns.count);
  out.view.height = static_cast<std::uint32_t>(rows.count);
  out.view.data = out.pixels.data();
  out.view.stride = columns.count * unit;
  if (!nv12) return;
  mirror_rows(frame.colour, frame.colour_stride, 2, colour_columns, colour_rows,
              out.pixels.data() + bytes);
  out.view.colour = out.pixels.data() + bytes;
  out.view.colour_stride = colour_columns.count * 2;
}

}  // namespace jackdaw
