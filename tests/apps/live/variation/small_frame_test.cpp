// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/small_frame.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace jackdaw::live {
namespace {

std::vector<std::byte> filled(std::size_t size, std::uint8_t value) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

}  // namespace

TEST_CASE("a frame that is small enough stays as it is, without the gaps between its rows") {
  std::vector<std::byte> pixels(2 * 16);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::byte>(i);
  SmallFrame small;
  REQUIRE(shrink({PixelFormat::kBgr, 3, 2, pixels.data(), 16}, small) == Status::kOk);
  CHECK(small.width == 3);
  CHECK(small.height == 2);
  CHECK(small.view().stride == 9);
  for (std::size_t i = 0; i < 9; ++i) {
    CHECK(small.pixels[i] == i);
    CHECK(small.pixels[9 + i] == 16 + i);
  }
}

TEST_CASE("RGB and grey become BGR") {
  const std::vector<std::byte> pixels{std::byte{1}, std::byte{2}, std::byte{3}};
  SmallFrame small;
  REQUIRE(shrink({PixelFormat::kRgb, 1, 1, pixels.data(), 3}, small) == Status::kOk);
  CHECK((small.pixels[0] == 3 && small.pixels[1] == 2 && small.pixels[2] == 1));
  REQUIRE(shrink({PixelFormat::kGrey, 3, 1, pixels.data(), 3}, small) == Status::kOk);
  CHECK((small.pixels[0] == 1 && small.pixels[2] == 1 && small.pixels[8] == 3));
}

TEST_CASE("each axis is brought to 160 pixels by the mean of what a pixel covers") {
  std::vector<std::byte> pixels(std::size_t{3} * 320 * 2);
  for (std::size_t x = 0; x < 320; ++x) {  // columns in turn 10 and 20, the second row 100 more
    std::memset(pixels.data() + 3 * x, x % 2 ? 20 : 10, 3);
    std::memset(pixels.data() + 3 * (320 + x), x % 2 ? 120 : 110, 3);
  }
  SmallFrame small;
  REQUIRE(shrink({PixelFormat::kBgr, 320, 2, pixels.data(), 960}, small) == Status::kOk);
  CHECK(small.width == 160);
  CHECK(small.height == 2);
  for (std::size_t i = 0; i < 480; ++i) {
    REQUIRE(small.pixels[i] == 15);
    REQUIRE(small.pixels[480 + i] == 115);
  }
}

TEST_CASE("odd and extreme sizes are read within their bounds") {
  for (const auto& [w, h] :
       {std::pair{1U, 1U}, {3U, 2000U}, {16384U, 1U}, {161U, 161U}, {16384U, 170U}}) {
    const auto pixels = filled(std::size_t{3} * w * h, 255);  // exactly: a sanitizer sees the rest
    SmallFrame small;
    REQUIRE(shrink({PixelFormat::kBgr, w, h, pixels.data(), std::size_t{3} * w}, small) ==
            Status::kOk);
    CHECK(small.width == std::min(w, 160U));
    CHECK(small.height == std::min(h, 160U));
    for (std::size_t i = 0; i < std::size_t{3} * small.width * small.height; ++i) {
      REQUIRE(small.pixels[i] == 255);
    }
  }
}

TEST_CASE("what cannot be shrunk is refused and changes nothing") {
  const auto pixels = filled(64, 7);
  SmallFrame small;
  small.width = 5;
  FrameView nv12{PixelFormat::kNv12, 4, 4, pixels.data(), 4};
  nv12.colour = pixels.data() + 16;
  nv12.colour_stride = 4;
  CHECK(shrink(nv12, small) == Status::kBadFrame);
  FrameView device{PixelFormat::kBgr, 2, 2, pixels.data(), 6};
  device.memory = FrameMemory::kDevice;
  CHECK(shrink(device, small) == Status::kBadFrame);
  CHECK(shrink({PixelFormat::kBgr, 16385, 1, pixels.data(), 3 * 16385}, small) ==
        Status::kBadFrame);
  CHECK(shrink({PixelFormat::kBgr, 2, 2, pixels.data(), 5}, small) == Status::kBadFrame);
  CHECK(shrink({}, small) == Status::kBadFrame);
  CHECK(small.width == 5);
}

}  // namespace jackdaw::live
