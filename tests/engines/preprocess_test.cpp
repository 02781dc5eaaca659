// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// From frames to inputs: against the definition in double, and what has to hold for any picture.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "preprocess/preprocess.hpp"
#include "preprocess_pictures.hpp"
#include "support/allocation_counter.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"

namespace jackdaw::testing {
namespace {

struct Sizes {
  std::uint32_t from_width, from_height, width, height;
};

const Sizes kSizes[] = {{1, 1, 1, 1},    {1, 1, 5, 3},    {1, 9, 4, 4},   {9, 1, 4, 4},
                        {3, 5, 4, 2},    {2, 2, 8, 8},    {5, 3, 5, 3},   {16, 12, 8, 6},
                        {33, 17, 7, 5},  {20, 31, 40, 9}, {64, 2, 16, 1}, {13, 13, 29, 31},
                        {6, 100, 6, 10}, {127, 3, 1, 3}};

std::vector<float> run(const FrameView& frame, const Manifest& m) {
  Preprocess preprocess(m);
  std::vector<float> input(std::size_t{m.channels} * m.height * m.width,
                           std::numeric_limits<float>::quiet_NaN());
  REQUIRE(preprocess.run(frame, input) == Status::kOk);
  return input;
}

// The largest difference, in steps of a byte.
template <class Values>
double apart(const std::vector<float>& a, const Values& b, const Manifest& m) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double by = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(by <= 1e9)) return 1e9;  // NaN, too
    worst = std::max(worst, by * 255 * m.deviation[i / (std::size_t{m.width} * m.height)]);
  }
  return worst;
}

}  // namespace

TEST_CASE("preprocess: every format, colour order and odd size is what the definition says") {
  std::mt19937_64 rng(seed());
  for (const Sizes& s : kSizes) {
    for (const PixelFormat format : kFormats) {
      for (const ColourOrder order : kOrders) {
        INFO(name_of(format), " order ", static_cast<int>(order), " ", s.from_width, "x",
             s.from_height, " -> ", s.width, "x", s.height);
        const Manifest m = manifest_for(order, s.width, s.height);
        const Picture picture(format, s.from_width, s.from_height, rng() % 2 * (rng() % 9), rng);
        CHECK(apart(run(picture.view(), m), expected(picture, m), m) < 2e-3);
      }
    }
  }
}

TEST_CASE("preprocess: an even picture stays even") {
  std::mt19937_64 rng(seed());
  for (const Sizes& s : {Sizes{1920, 1080, 128, 96}, Sizes{31, 17, 64, 96}, Sizes{99, 3, 10, 10}}) {
    for (const PixelFormat format : {PixelFormat::kBgr, PixelFormat::kGrey, PixelFormat::kNv12}) {
      for (const unsigned value : {0U, 16U, 119U, 235U, 255U}) {
        INFO(name_of(format), " ", value);
        Picture picture(format, s.from_width, s.from_height, 5, rng);
        picture.fill(value);
        const Manifest m = manifest_for(ColourOrder::kRgb, s.width, s.height);
        const double bright = picture.pixel(0, 0)[0];
        std::vector<double> even;
        for (std::size_t i = 0; i < std::size_t{3} * s.width * s.height; ++i) {
          const std::size_t c = i / (std::size_t{s.width} * s.height);
          even.push_back((bright / 255 - m.mean[c]) / m.deviation[c]);
        }
        CHECK(apart(run(picture.view(), m), even, m) < 2e-3);
      }
    }
  }
}

TEST_CASE("preprocess: the same size changes no pixel") {
  std::mt19937_64 rng(seed());
  const Picture picture(PixelFormat::kRgb, 13, 7, 3, rng);
  Manifest m = manifest_for(ColourOrder::kRgb, 13, 7);
  m.mean = {0, 0, 0};
  m.deviation = {1, 1, 1};
  const std::vector<float> input = run(picture.view(), m);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const double byte = picture.pixel(i % 13, i / 13 % 7)[i / (13 * 7)];
    CHECK(input[i] == static_cast<float>(byte) * (1.0F / 255));
  }
}

TEST_CASE("preprocess: a mirrored picture gives the mirrored input") {
  std::mt19937_64 rng(seed());
  for (const Sizes& s : kSizes) {
    for (const bool left_right : {true, false}) {
      const Picture picture(PixelFormat::kBgr, s.from_width, s.from_height, 2, rng);
      const Manifest m = manifest_for(ColourOrder::kBgr, s.width, s.height);
      const std::vector<float> straight = run(picture.view(), m);
      std::vector<float> mirrored;
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t y = 0; y < s.height; ++y) {
          for (std::size_t x = 0; x < s.width; ++x) {
            const std::size_t from_x = left_right ? s.width - 1 - x : x;
            const std::size_t from_y = left_right ? y : s.height - 1 - y;
            mirrored.push_back(straight[(c * s.height + from_y) * s.width + from_x]);
          }
        }
      }
      CHECK(apart(run(picture.mirrored(left_right).view(), m), mirrored, m) < 2e-3);
    }
  }
}

TEST_CASE("preprocess: what lies between the rows does not matter") {
  std::mt19937_64 rng(seed());
  for (const PixelFormat format : kFormats) {
    std::mt19937_64 one(5);
    const Picture picture(format, 21, 9, 11, one);
    Picture other = picture;
    const FrameView frame = other.view();
    const std::size_t bytes = format == PixelFormat::kBgr || format == PixelFormat::kRgb ? 63 : 21;
    for (std::size_t y = 0; y + 1 < 9; ++y) {
      for (std::size_t i = bytes; i < frame.stride; ++i)
        const_cast<std::byte*>(frame.data)[y * frame.stride + i] = std::byte(rng() & 0xFF);
    }
    const Manifest m = manifest_for(ColourOrder::kRgb, 6, 30);
    CHECK(run(picture.view(), m) == run(frame, m));
  }
}

TEST_CASE("preprocess: frames of many sizes one after the other are as each alone") {
  std::mt19937_64 rng(seed());
  const Manifest m = manifest_for(ColourOrder::kRgb, 9, 8);
  Preprocess preprocess(m);
  std::vector<float> input(std::size_t{3} * 9 * 8);
  for (int round = 0; round < 60; ++round) {
    const auto width = static_cast<std::uint32_t>(1 + rng() % 40);
    const auto height = static_cast<std::uint32_t>(1 + rng() % 40);
    const Picture picture(kFormats[rng() % 4], width, height, rng() % 5, rng);
    REQUIRE(preprocess.run(picture.view(), input) == Status::kOk);
    CHECK(input == run(picture.view(), m));
  }
}

TEST_CASE("preprocess: nothing is allocated after the largest frame") {
  std::mt19937_64 rng(seed());
  const Manifest m = manifest_for(ColourOrder::kRgb, 32, 24);
  Preprocess preprocess(m);
  std::vector<float> input(std::size_t{3} * 32 * 24);
  std::vector<Picture> pictures;
  pictures.emplace_back(PixelFormat::kGrey, 200, 150, 0, rng);
  for (int i = 0; i < 40; ++i) {
    const auto width = static_cast<std::uint32_t>(1 + rng() % 200);
    const auto height = static_cast<std::uint32_t>(1 + rng() % 150);
    pictures.emplace_back(kFormats[rng() % 4], width, height, 0, rng);
  }
  REQUIRE(preprocess.run(pictures[0].view(), input) == Status::kOk);
  const std::uint64_t before = allocations();
  bool all = true;
  for (const Picture& picture : pictures)
    all = preprocess.run(picture.view(), input) == Status::kOk && all;
  CHECK(allocations() == before);
  CHECK(all);
}

TEST_CASE("preprocess: what is refused leaves the input as it was") {
  std::mt19937_64 rng(seed());
  const Picture picture(PixelFormat::kBgr, 8, 8, 0, rng);
  Preprocess preprocess(manifest_for(ColourOrder::kRgb, 4, 4));
  std::vector<float> input(48, 7.0F);
  FrameView frame = picture.view();
  CHECK(preprocess.run(frame, Span<float>(input).first(47)) == Status::kWrongSize);
  frame.memory = FrameMemory::kDevice;
  CHECK(preprocess.run(frame, input) == Status::kBadFrame);
  frame = picture.view();
  frame.stride = 23;
  CHECK(preprocess.run(frame, input) == Status::kBadFrame);
  CHECK(preprocess.run(FrameView{}, input) == Status::kBadFrame);
  CHECK(input == std::vector<float>(48, 7.0F));
}

TEST_CASE("preprocess: a manifest that contradicts itself is refused") {
  const auto broken = [](auto change) {
    Manifest m = manifest_for(ColourOrder::kRgb, 4, 4);
    change(m);
    CHECK_THROWS_AS(Preprocess{m}, ManifestError);
  };
  broken([](Manifest& m) { m.width = 0; });
  broken([](Manifest& m) { m.height = kMostPixelsASide + 1; });
  broken([](Manifest& m) { m.channels = 1; });
  broken([](Manifest& m) { m.colour = ColourOrder::kGrey; });
  broken([](Manifest& m) { m.mean.pop_back(); });
  broken([](Manifest& m) { m.deviation.clear(); });
  broken([](Manifest& m) { m.deviation[1] = 0; });
  broken([](Manifest& m) { m.deviation[1] = std::numeric_limits<float>::quiet_NaN(); });
  broken([](Manifest& m) { m.mean[2] = std::numeric_limits<float>::infinity(); });
}

}  // namespace jackdaw::testing
