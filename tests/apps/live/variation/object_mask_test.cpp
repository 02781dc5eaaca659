// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/object_mask.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "support/seed.hpp"

namespace jackdaw::live {
namespace {

constexpr std::uint32_t kSide = 120;
using Colour = std::array<std::uint8_t, 3>;

bool in_disc(std::uint32_t x, std::uint32_t y) {
  const int dx = static_cast<int>(x) - 60, dy = static_cast<int>(y) - 55;
  return dx * dx + dy * dy < 40 * 40;
}

template <typename Background>  // colour of (x, y)
SmallFrame disc(const Colour& object, Background background) {
  SmallFrame out;
  out.width = out.height = kSide;
  std::uint8_t* p = out.pixels.data();
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      for (const std::uint8_t value : in_disc(x, y) ? object : background(x, y)) *p++ = value;
    }
  }
  return out;
}

// Share of the pixels, in percent, that the mask and the disc agree on.
double agreement(const ObjectMask& mask) {
  int agreed = 0;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    agreed += (mask.share[i] > 127) == in_disc(i % kSide, i / kSide) ? 1 : 0;
  }
  return 100.0 * agreed / (kSide * kSide);
}

}  // namespace

TEST_CASE("an object before white, or before a plain table in uneven light, is found") {
  ObjectMask mask;
  const auto white = [](auto, auto) { return Colour{255, 255, 255}; };
  REQUIRE(find_object(disc({40, 90, 200}, white), mask));
  CHECK(agreement(mask) > 98.0);
  std::mt19937_64 random(testing::seed());
  const auto table = [&](std::uint32_t x, std::uint32_t y) {
    const auto light = static_cast<std::uint8_t>((x + y) / 12 + random() % 12);
    return Colour{static_cast<std::uint8_t>(70 + light), static_cast<std::uint8_t>(100 + light),
                  static_cast<std::uint8_t>(130 + light)};
  };
  REQUIRE(find_object(disc({200, 90, 40}, table), mask));
  CHECK(agreement(mask) > 98.0);
}

TEST_CASE("a bright spot within the object stays object") {
  const auto white = [](auto, auto) { return Colour{255, 255, 255}; };
  SmallFrame frame = disc({40, 90, 200}, white);
  for (std::size_t y = 50; y < 60; ++y) {
    for (std::size_t x = 55; x < 65; ++x) {
      for (std::size_t k = 0; k < 3; ++k) frame.pixels[3 * (y * kSide + x) + k] = 255;
    }
  }
  ObjectMask mask;
  REQUIRE(find_object(frame, mask));
  CHECK(agreement(mask) > 98.0);
}

TEST_CASE("before a texture nothing is claimed, nor where there is no background or no object") {
  ObjectMask mask;
  const auto all_object = [&] {
    return std::all_of(mask.share.begin(), mask.share.begin() + kSide * kSide,
                       [](std::uint8_t share) { return share == 255; });
  };
  std::mt19937_64 random(testing::seed());
  const auto texture = [&](auto, auto) {
    const std::uint64_t bits = random();
    return Colour{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                  static_cast<std::uint8_t>(bits >> 16)};
  };
  CHECK_FALSE(find_object(disc({40, 90, 200}, texture), mask));
  CHECK(all_object());
  const auto same = [](auto, auto) { return Colour{40, 90, 200}; };
  CHECK_FALSE(find_object(disc({40, 90, 200}, same), mask));
  CHECK(all_object());
  SmallFrame dot;
  dot.width = dot.height = 1;
  CHECK_FALSE(find_object(dot, mask));
}

TEST_CASE("an ellipse covers its middle and leaves the corners") {
  SmallFrame frame;
  frame.width = 100;
  frame.height = 50;
  ObjectMask mask;
  cover_ellipse(frame, {512, 512, 512, 512}, mask);
  CHECK(mask.share[25 * 100 + 50] == 255);
  CHECK(mask.share[0] == 0);
  CHECK(mask.share[49 * 100 + 99] == 0);
  cover_ellipse(frame, {-100000, 0, 1, 1}, mask);  // far outside: nothing, and no overflow
  CHECK(mask.share[25 * 100 + 50] == 0);
}

}  // namespace jackdaw::live
