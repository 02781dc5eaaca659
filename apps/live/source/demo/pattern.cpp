// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace jackdaw::live::demo {
namespace {
constexpr int kFiner = 4;
}

Pattern::Pattern(int columns, int rows, const cv::Scalar& ground)
    : large_(rows * kFiner, columns * kFiner, CV_8UC4, ground) {}

cv::Point Pattern::at(cv::Vec2f share) const {
  return {static_cast<int>(std::lround(share[0] * static_cast<float>(large_.cols))),
          static_cast<int>(std::lround(share[1] * static_cast<float>(large_.rows)))};
}

int Pattern::length(float share_of_height) const {
  return std::max(1,
                  static_cast<int>(std::lround(share_of_height * static_cast<float>(large_.rows))));
}

void Pattern::bar(cv::Vec2f from, cv::Vec2f to, const cv::Scalar& colour) {
  cv::rectangle(large_, at(from), at(to), colour, cv::FILLED);
}
void Pattern::disc(cv::Vec2f middle, float radius, const cv::Scalar& colour) {
  cv::circle(large_, at(middle), length(radius), colour, cv::FILLED);
}
void Pattern::ring(cv::Vec2f middle, float radius, float width, const cv::Scalar& colour) {
  cv::circle(large_, at(middle), length(radius), colour, length(width));
}
void Pattern::line(cv::Vec2f from, cv::Vec2f to, float width, const cv::Scalar& colour) {
  cv::line(large_, at(from), at(to), colour, length(width));
}
void Pattern::area(const std::vector<cv::Vec2f>& corners, const cv::Scalar& colour) {
  std::vector<cv::Point> points;
  for (const cv::Vec2f& corner : corners) points.push_back(at(corner));
  cv::fillPoly(large_, std::vector<std::vector<cv::Point>>{points}, colour);
}

cv::Mat Pattern::finished() const {
  cv::Mat small;
  cv::resize(large_, small, large_.size() / kFiner, 0, 0, cv::INTER_AREA);
  return small;
}

}  // namespace jackdaw::live::demo
