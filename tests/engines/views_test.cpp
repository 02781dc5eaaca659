// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "views/mirrored_middle.hpp"
#include "views/two_view_encoder.hpp"

namespace jackdaw {
namespace {

// Grey pixels that say where they are: x + 16*y.
struct Numbered {
  explicit Numbered(std::uint32_t width, std::uint32_t height) {
    for (std::uint32_t y = 0; y < height; ++y) {
      for (std::uint32_t x = 0; x < width; ++x) {
        pixels.push_back(static_cast<std::byte>((x + 16 * y) & 0xFFU));
      }
    }
    view = {PixelFormat::kGrey, width, height, pixels.data(), width};
  }
  std::vector<std::byte> pixels;
  FrameView view;
};

std::uint32_t at(const FrameView& view, std::size_t x, std::size_t y) {
  return std::to_integer<std::uint32_t>(view.data[y * view.stride + x]);
}

TEST_CASE("the middle seven eighths, left and right exchanged") {
  const Numbered frame(32, 8);
  MirroredMiddle middle;
  mirror_middle(frame.view, middle);
  CHECK(middle.view.width == 28);
  CHECK(middle.view.height == 8);  // too small to be cut
  CHECK(at(middle.view, 0, 0) == at(frame.view, 29, 0));
  CHECK(at(middle.view, 27, 0) == at(frame.view, 2, 0));
  CHECK(at(middle.view, 3, 7) == at(frame.view, 26, 7));
}

TEST_CASE("every size and format gives a frame that can be encoded") {
  MirroredMiddle middle;
  for (const std::uint32_t width : {1U, 2U, 15U, 16U, 33U, 64U, 65U}) {
    for (const std::uint32_t height : {1U, 2U, 17U, 64U}) {
      CAPTURE(width);
      CAPTURE(height);
      const std::vector<std::byte> pixels(std::size_t{3} * width * height);
      for (const PixelFormat format : {PixelFormat::kBgr, PixelFormat::kRgb, PixelFormat::kGrey}) {
        const std::size_t unit = format == PixelFormat::kGrey ? 1 : 3;
        mirror_middle({format, width, height, pixels.data(), width * unit}, middle);
        CHECK(check(middle.view) == Status::kOk);
      }
      const std::size_t pairs = 2 * ((std::size_t{width} + 1) / 2);
      const std::vector<std::byte> colour(pairs * ((height + 1) / 2));
      mirror_middle({PixelFormat::kNv12, width, height, pixels.data(), width, colour.data(), pairs},
                    middle);
      CHECK(check(middle.view) == Status::kOk);
    }
  }
}

// Its embedding is the first pixel and a constant.
class FirstPixel final : public Encoder {
 public:
  FirstPixel() {
    manifest_.output_size = 2;
    manifest_.max_batch = 4;
  }
  const Manifest& manifest() const noexcept override { return manifest_; }
  std::string backend() const override { return "first pixel"; }
  Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept override {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      embeddings[2 * i] = static_cast<float>(at(frames[i], 0, 0));
      embeddings[2 * i + 1] = 4.0F;
    }
    return Status::kOk;
  }

 private:
  Manifest manifest_;
};

TEST_CASE("the embedding is the mean of the two directions") {
  const Numbered frame(4, 4);  // not cut: the views begin with 0 and with 3
  Manifest manifest = FirstPixel().manifest();
  manifest.views = 2;
  const auto encoder = look_twice(manifest, std::make_unique<FirstPixel>());
  CHECK(encoder->backend() == "first pixel, two views");
  std::vector<float> embedding(2);
  REQUIRE(encoder->encode({&frame.view, 1}, embedding) == Status::kOk);
  CHECK(embedding[0] == doctest::Approx(0.5 * 0.0 + 0.5 * 3.0 / 5.0));
  CHECK(embedding[1] == doctest::Approx(0.5 * 1.0 + 0.5 * 4.0 / 5.0));
  FrameView elsewhere = frame.view;
  elsewhere.memory = FrameMemory::kDevice;
  CHECK(encoder->encode({&elsewhere, 1}, embedding) == Status::kBadFrame);
}

}  // namespace
}  // namespace jackdaw
