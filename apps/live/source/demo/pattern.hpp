// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Patterns of the demo's things, drawn four times as large and averaged: smooth edges.
//
//   Pattern pattern(128, 64, kMain);                      // points across and down
//   pattern.bar({0.0F, 0.3F}, {1.0F, 0.4F}, kAccent);     // from corner to corner, in shares
//   part.pattern = pattern.finished();

#include <opencv2/core.hpp>
#include <vector>

namespace jackdaw::live::demo {

inline const cv::Scalar kMain(255, 0, 0, 0), kSecond(0, 255, 0, 0), kAccent(0, 0, 255, 0),
    kCream(0, 0, 0, 255), kDark(0, 0, 0, 0);

class Pattern {
 public:
  Pattern(int columns, int rows, const cv::Scalar& ground);
  void bar(cv::Vec2f from, cv::Vec2f to, const cv::Scalar& colour);
  void disc(cv::Vec2f middle, float radius, const cv::Scalar& colour);  // radius: of the height
  void ring(cv::Vec2f middle, float radius, float width, const cv::Scalar& colour);
  void line(cv::Vec2f from, cv::Vec2f to, float width,
            const cv::Scalar& colour);  // width: likewise
  void area(const std::vector<cv::Vec2f>& corners, const cv::Scalar& colour);
  cv::Mat finished() const;

 private:
  cv::Point at(cv::Vec2f share) const;
  int length(float share_of_height) const;
  cv::Mat large_;
};

}  // namespace jackdaw::live::demo
