// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The same as OpenCV's own resizing of float pictures. Only where both axes go the same way: OpenCV
// has one interpolation for both.

#include <doctest/doctest.h>

#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>
#include <vector>

#include "preprocess/preprocess.hpp"
#include "preprocess_pictures.hpp"
#include "support/seed.hpp"

namespace jackdaw::testing {
namespace {

// In steps of a byte.
double apart_from_opencv(cv::Size from, cv::Size to, int interpolation, std::mt19937_64& rng) {
  const Picture picture(PixelFormat::kBgr, static_cast<std::uint32_t>(from.width),
                        static_cast<std::uint32_t>(from.height), 4, rng);
  const FrameView frame = picture.view();
  cv::Mat source(from, CV_32FC3);
  for (int y = 0; y < from.height; ++y) {
    for (int x = 0; x < from.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const std::size_t at =
            static_cast<std::size_t>(y) * frame.stride + static_cast<std::size_t>(3 * x + c);
        source.at<cv::Vec3f>(y, x)[c] = static_cast<float>(frame.data[at]);
      }
    }
  }
  cv::Mat resized;
  cv::resize(source, resized, to, 0, 0, interpolation);

  Manifest m = manifest_for(ColourOrder::kBgr, static_cast<std::uint32_t>(to.width),
                            static_cast<std::uint32_t>(to.height));
  m.mean = {0, 0, 0};
  m.deviation = {1, 1, 1};
  Preprocess preprocess(m);
  std::vector<float> input(std::size_t{3} * m.width * m.height);
  REQUIRE(preprocess.run(frame, input) == Status::kOk);
  double worst = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::size_t plane = std::size_t{m.width} * m.height;
    const float theirs =
        resized.at<cv::Vec3f>(static_cast<int>(i % plane / m.width),
                              static_cast<int>(i % m.width))[static_cast<int>(i / plane)];
    worst = std::max(worst,
                     std::abs(255.0 * static_cast<double>(input[i]) - static_cast<double>(theirs)));
  }
  return worst;
}

}  // namespace

TEST_CASE("preprocess: OpenCV shrinks by area to the same") {
  std::mt19937_64 rng(seed());
  for (const auto& [from, to] : {std::pair{cv::Size(64, 48), cv::Size(16, 12)},
                                 {cv::Size(64, 48), cv::Size(32, 12)},
                                 {cv::Size(640, 360), cv::Size(128, 128)},
                                 {cv::Size(1920, 1080), cv::Size(224, 224)},
                                 {cv::Size(101, 77), cv::Size(28, 28)},
                                 {cv::Size(33, 33), cv::Size(32, 32)},
                                 {cv::Size(17, 3), cv::Size(5, 1)}}) {
    INFO(from.width, "x", from.height, " -> ", to.width, "x", to.height);
    CHECK(apart_from_opencv(from, to, cv::INTER_AREA, rng) < 2e-3);
  }
}

TEST_CASE("preprocess: OpenCV grows by cubic interpolation to the same") {
  std::mt19937_64 rng(seed());
  for (const auto& [from, to] : {std::pair{cv::Size(32, 32), cv::Size(128, 128)},
                                 {cv::Size(28, 28), cv::Size(224, 224)},
                                 {cv::Size(31, 17), cv::Size(100, 40)},
                                 {cv::Size(100, 90), cv::Size(101, 91)},
                                 {cv::Size(3, 2), cv::Size(7, 9)}}) {
    INFO(from.width, "x", from.height, " -> ", to.width, "x", to.height);
    CHECK(apart_from_opencv(from, to, cv::INTER_CUBIC, rng) < 2e-3);
  }
}

}  // namespace jackdaw::testing
