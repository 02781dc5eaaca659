// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What counts as a frame.

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw {
namespace {

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
const std::byte kPixels[64] = {};

FrameView frame(PixelFormat format, std::uint32_t width, std::uint32_t height, std::size_t stride) {
  return {format, width, height, kPixels, stride, kPixels, 2 * ((std::size_t{width} + 1) / 2)};
}

}  // namespace

TEST_CASE("frame: what has pixels is one") {
  CHECK(check(frame(PixelFormat::kBgr, 5, 3, 15)) == Status::kOk);
  CHECK(check(frame(PixelFormat::kRgb, 5, 3, 16)) == Status::kOk);
  CHECK(check(frame(PixelFormat::kGrey, 5, 3, 5)) == Status::kOk);
  CHECK(check(frame(PixelFormat::kNv12, 5, 3, 5)) == Status::kOk);
  CHECK(check(frame(PixelFormat::kGrey, 5, 1, 0)) == Status::kOk);  // one row has no next
  CHECK(check(frame(PixelFormat::kGrey, kMostPixelsASide, kMostPixelsASide, kMostPixelsASide)) ==
        Status::kOk);
  FrameView device = frame(PixelFormat::kBgr, 5, 3, 15);
  device.memory = FrameMemory::kDevice;
  CHECK(check(device) == Status::kOk);
}

TEST_CASE("frame: no pixels, too many, or rows that overlap") {
  CHECK(check(FrameView{}) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kBgr, 0, 3, 15)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kBgr, 5, 0, 15)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kBgr, 5, 3, 14)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kRgb, 5, 3, 14)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kGrey, 5, 3, 4)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kNv12, 5, 3, 4)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kGrey, kMostPixelsASide + 1, 1, 50000)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kGrey, 1, kMostPixelsASide + 1, 50000)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kBgr, 0xFFFFFFFFU, 1, kHuge)) == Status::kBadFrame);
  FrameView nothing = frame(PixelFormat::kBgr, 5, 3, 15);
  nothing.data = nullptr;
  CHECK(check(nothing) == Status::kBadFrame);
  CHECK(check(frame(static_cast<PixelFormat>(9), 5, 3, 15)) == Status::kBadFrame);
  FrameView nowhere = frame(PixelFormat::kBgr, 5, 3, 15);
  nowhere.memory = static_cast<FrameMemory>(7);
  CHECK(check(nowhere) == Status::kBadFrame);
}

TEST_CASE("frame: NV12 needs its colour plane") {
  FrameView f = frame(PixelFormat::kNv12, 5, 3, 5);
  f.colour_stride = 5;  // three pairs are six bytes
  CHECK(check(f) == Status::kBadFrame);
  f.height = 2;  // one row of colours
  CHECK(check(f) == Status::kOk);
  f.colour = nullptr;
  CHECK(check(f) == Status::kBadFrame);
}

TEST_CASE("frame: sizes that would wrap around") {
  CHECK(check(frame(PixelFormat::kBgr, 5, 3, kHuge)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kBgr, 5, 3, kHuge / 2 + 1)) == Status::kBadFrame);
  CHECK(check(frame(PixelFormat::kGrey, 5, 16384, kHuge / 16383)) == Status::kBadFrame);
  FrameView f = frame(PixelFormat::kNv12, 4, 6, 4);
  f.colour_stride = kHuge / 2 + 1;
  CHECK(check(f) == Status::kBadFrame);
  f = frame(PixelFormat::kGrey, 64, 1, 64);
  f.data = reinterpret_cast<const std::byte*>(UINTPTR_MAX - 10);
  CHECK(check(f) == Status::kBadFrame);
}

}  // namespace jackdaw
