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
  CHECK(hash(one) == "2561461413f041a92282a899323e051de6920d08611336466c248e7e240af519");
  CHECK(hash(two) == "a4424b22acb178ccd7b04d0b1e0be7e1f94834ee71ec9247a4312d6a6b23772e");
}

TEST_CASE("the object stays, its surroundings do not") {
  const SmallFrame frame = square();
  int reds = 0, whites = 0, pixels = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const SmallFrame varied = made(frame, 0, 1, i);
    int red = 0;
    for (std::size_t p = 0; p < 100 * 100; ++p) {
      const std::uint8_t* c = varied.pixels.data() + 3 * p;
      // 200:20 under any light and cast that is drawn, a little softened.
      if (c[2] > 80 && c[0] < 45 && c[1] < 45) ++red;
      if (c[0] == c[1] && c[1] == c[2]) ++whites;
      ++pixels;
    }
    CHECK(red >= 800);  // 1600 pixels, at 1/1.2 a side
    reds += red;
  }
  CHECK(reds / 50 < 4000);  // and it does not fill the frame
  CHECK(whites < pixels / 50);
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
