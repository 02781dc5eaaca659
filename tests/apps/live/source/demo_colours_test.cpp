// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The demo's things come in the same colours: a classifier of colour histograms does not get far.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "apps/live/source/demo_lesson.hpp"

namespace jackdaw::live {
namespace {

// 8x8x8 bins, each channel's range in eighths; the roots, so that the wall does not count for all.
Vector histogram(const cv::Mat& bgr, bool hsv, bool middle_only) {
  cv::Mat picture = middle_only ? bgr(cv::Rect(160, 90, 320, 340)) : bgr;
  cv::Mat converted;
  if (hsv) cv::cvtColor(picture, converted, cv::COLOR_BGR2HSV);
  const cv::Mat& from = hsv ? converted : picture;
  Vector bins(512);
  for (int y = 0; y < from.rows; ++y) {
    for (int x = 0; x < from.cols; ++x) {
      const cv::Vec3b& p = from.at<cv::Vec3b>(y, x);
      const int first = hsv ? std::min(p[0] * 8 / 180, 7) : p[0] / 32;
      bins[static_cast<std::size_t>((first * 8 + p[1] / 32) * 8 + p[2] / 32)] += 1.0;
    }
  }
  for (double& bin : bins) bin = std::sqrt(bin / static_cast<double>(from.total()));
  return bins;
}

}  // namespace

TEST_CASE("colours do not tell the demo's things apart") {
  struct Kind {
    const char* name;
    bool hsv, middle_only;
    NearestMean means{};
    double right = 0;
  };
  std::vector<Kind> kinds{{"RGB", false, false},
                          {"HSV", true, false},
                          {"RGB, the picture's middle only", false, true},
                          {"HSV, the picture's middle only", true, true}};
  double asked = 0;
  run_demo(
      6,
      [&](const std::string& name, const cv::Mat& picture) {
        for (Kind& kind : kinds) {
          kind.means.teach(name, histogram(picture, kind.hsv, kind.middle_only));
        }
      },
      [&](const std::string& name, const cv::Mat& picture) {
        for (Kind& kind : kinds) {
          const Vector bins = histogram(picture, kind.hsv, kind.middle_only);
          kind.right += kind.means.nearest(bins) == name ? 1 : 0;
        }
        ++asked;
      });
  for (const Kind& kind : kinds) {
    MESSAGE("histograms of " << std::string(kind.name) << ": " << 100 * kind.right / asked
                             << " % of " << asked);
    CHECK(kind.right / asked < 0.70);
  }
}

}  // namespace jackdaw::live
