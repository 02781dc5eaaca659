// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/variation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "jackdaw/sha256.hpp"
#include "support/allocation_counter.hpp"
#include "support/seed.hpp"

namespace jackdaw::live {
namespace {

SmallFrame noise(std::uint32_t width, std::uint32_t height, std::uint64_t seed) {
  SmallFrame out;
  out.width = width;
  out.height = height;
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < std::size_t{3} * width * height; ++i) {
    out.pixels[i] = static_cast<std::uint8_t>(random());
  }
  return out;
}

// A red square in the middle of white.
SmallFrame square() {
  SmallFrame out;
  out.width = out.height = 100;
  out.pixels.fill(255);
  for (std::size_t y = 30; y < 70; ++y) {
    for (std::size_t x = 30; x < 70; ++x) {
      std::uint8_t* p = out.pixels.data() + 3 * (y * 100 + x);
      p[0] = p[1] = 20;
      p[2] = 200;
    }
  }
  return out;
}

bool same(const SmallFrame& a, const SmallFrame& b) {
  return a.width == b.width && a.height == b.height &&
         std::equal(a.pixels.begin(), a.pixels.begin() + 3 * a.width * a.height, b.pixels.begin());
}

SmallFrame made(const SmallFrame& frame, std::uint64_t seed, std::uint64_t number,
                std::uint32_t i) {
  SmallFrame out;
  REQUIRE(Variations({2, seed}).make(frame, number, i, out) == Status::kOk);
  return out;
}

}  // namespace

TEST_CASE("a variation is the same again, and another one for every frame, number and seed") {
  for (const SmallFrame& frame : {square(), noise(160, 120, testing::seed())}) {
    const SmallFrame one = made(frame, 1, 7, 0);
    CHECK(same(one, made(frame, 1, 7, 0)));
    CHECK_FALSE(same(one, made(frame, 1, 7, 1)));
    CHECK_FALSE(same(one, made(frame, 1, 8, 0)));
    CHECK_FALSE(same(one, made(frame, 2, 7, 0)));
    CHECK_FALSE(same(one, frame));
  }
}

TEST_CASE("variations have the same bytes on every machine") {
  const SmallFrame one = made(square(), 0, 1, 0), two = made(noise(97, 61, 5), 0, 1, 1);
  const auto hash = [](const SmallFrame& f) {
    return sha256_hex(std::string(f.pixels.begin(), f.pixels.begin() + 3 * f.width * f.height));
  };
  CHECK(hash(one) == "8cec41a0d55029b25f3ff65ac9838a3f73750bfaba2c3ce1d0c0968a4602a78c");
  CHECK(hash(two) == "fbc22944fbb1c9055e8ac7f6d1f2c82146896dc3214d6a87a83bc3db743e78ee");
}

TEST_CASE("the object stays, its surroundings do not") {
  const SmallFrame frame = square();
  int whites = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const SmallFrame varied = made(frame, 0, 1, i);
    int red = 0;
    for (std::size_t p = 0; p < 100 * 100; ++p) {
      const std::uint8_t* c = varied.pixels.data() + 3 * p;
      if (c[2] > 195 && c[2] < 205 && c[0] < 25 && c[1] < 25) ++red;
      if (c[0] > 250 && c[1] > 250 && c[2] > 250) ++whites;
    }
    // 1,600 pixels less a soft edge, seen through a window that is 0.7 to 1 of the frame a side.
    CHECK(red >= 1200);
    CHECK(red <= 4000);
  }
  CHECK(whites < 50 * 100 * 100 / 50);
}

TEST_CASE("odd sizes are varied without harm") {
  const auto varied = std::make_unique<SmallFrame>();
  for (const auto& [w, h] : {std::pair{1U, 1U}, {1U, 160U}, {160U, 1U}, {2U, 3U}, {160U, 160U}}) {
    const SmallFrame frame = noise(w, h, testing::seed());
    SmallFrame plain = frame;
    plain.pixels.fill(200);
    for (std::uint32_t i = 0; i < 40; ++i) {
      REQUIRE(Variations({}).make(frame, 3, i, *varied) == Status::kOk);
      CHECK(varied->width == w);
      CHECK(varied->height == h);
      REQUIRE(Variations({}).make(plain, 3, i, *varied) == Status::kOk);
    }
  }
}

TEST_CASE("what is no frame is refused") {
  SmallFrame frame, varied;
  const Variations variations({});
  CHECK(variations.make(frame, 1, 0, varied) == Status::kBadFrame);
  frame.width = 161;
  frame.height = 1;
  CHECK(variations.make(frame, 1, 0, varied) == Status::kBadFrame);
  frame.width = 1;
  CHECK(variations.make(frame, 1, 0, varied) == Status::kOk);
  CHECK(variations.make(frame, 1, 0, frame) == Status::kBadFrame);
}

TEST_CASE("nothing is allocated") {
  const SmallFrame frame = square();
  const auto varied = std::make_unique<SmallFrame>();
  const std::vector<std::byte> pixels(640 * 480 * 3);
  const auto small = std::make_unique<SmallFrame>();
  const std::uint64_t before = testing::allocations();
  const Status shrunk = shrink({PixelFormat::kBgr, 640, 480, pixels.data(), 640 * 3}, *small);
  const Status status = Variations({}).make(frame, 1, 0, *varied);
  const std::uint64_t after = testing::allocations();
  CHECK(after == before);
  CHECK(shrunk == Status::kOk);
  CHECK(status == Status::kOk);
}

}  // namespace jackdaw::live
