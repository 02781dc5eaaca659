// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/painter.hpp"

#include <algorithm>
#include <cmath>

namespace jackdaw::live::demo {
namespace {

constexpr int kFiner = 2;
constexpr float kNearest = 0.2F;  // nothing comes closer to the camera

std::uint8_t to_byte(float value) {  // never negative: shares and light are not
  return static_cast<std::uint8_t>(std::min(static_cast<int>(value), 255));
}

}  // namespace

Painter::Painter(cv::Size size)
    : colour_(size * kFiner, CV_8UC4, cv::Scalar::all(0)),
      nearness_(size * kFiner, CV_32F, cv::Scalar(0)) {}

void Painter::begin() {
  if (touched_.area() > 0) {
    colour_(touched_).setTo(0);
    nearness_(touched_).setTo(0);
  }
  touched_ = {};
}

void Painter::draw(const Mesh& mesh, const cv::Mat& texture, const View& view) {
  corners_.clear();
  const cv::Vec3f towards_camera(0, 0, -1);
  const cv::Vec3f middle = view.light + towards_camera;
  const cv::Vec3f half = middle * (1.0F / std::sqrt(middle.dot(middle)));
  for (const Vertex& vertex : mesh.vertices) {
    const cv::Vec3f p = view.turn * vertex.position + view.shift;
    const cv::Vec3f n = view.turn * vertex.normal;
    const float near = 1.0F / std::max(p[2], kNearest);
    // Light from the lamp, from the room (more from above), and a rim that lifts the outline.
    const float lamp = std::max(n.dot(view.light), 0.0F);
    const float room = 0.5F + 0.5F * n[1];
    const float gleam = std::max(n.dot(half), 0.0F);
    const float gleam4 = gleam * gleam * gleam * gleam;
    corners_.push_back({kFiner * (view.centre[0] + view.focal * p[0] * near),
                        kFiner * (view.centre[1] - view.focal * p[1] * near), near,
                        0.34F + 0.22F * room + 0.56F * lamp,
                        255.0F * view.gloss * gleam4 * gleam4 * gleam4 * gleam4,
                        vertex.texture[0] * static_cast<float>(texture.cols - 1),
                        vertex.texture[1] * static_cast<float>(texture.rows - 1)});
  }
  for (const auto& t : mesh.triangles)
    fill(corners_[t[0]], corners_[t[1]], corners_[t[2]], texture);
}

void Painter::fill(const Corner& a, const Corner& b, const Corner& c, const cv::Mat& texture) {
  // Anticlockwise seen from outside; in the picture y points down, so a front has a negative area.
  const float area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
  if (area >= -1e-3F) return;
  const cv::Rect all(0, 0, colour_.cols, colour_.rows);
  const auto low = [](float p, float q, float r) {
    return static_cast<int>(std::floor(std::min({p, q, r})));
  };
  const auto high = [](float p, float q, float r) {
    return static_cast<int>(std::ceil(std::max({p, q, r})));
  };
  const cv::Rect box = cv::Rect(cv::Point(low(a.x, b.x, c.x), low(a.y, b.y, c.y)),
                                cv::Point(high(a.x, b.x, c.x) + 1, high(a.y, b.y, c.y) + 1)) &
                       all;
  if (box.area() <= 0) return;
  touched_ = touched_.area() > 0 ? (touched_ | box) : box;
  const float scale = 1.0F / area;
  // Shares of a, b and c change by a constant from pixel to pixel; so does all that is mixed by
  // them.
  const float b_right = (c.y - a.y) * scale, b_down = -(c.x - a.x) * scale;
  const float c_right = -(b.y - a.y) * scale, c_down = (b.x - a.x) * scale;
  const auto slope = [&](float of_a, float of_b, float of_c) {
    return (of_b - of_a) * b_right + (of_c - of_a) * c_right;
  };
  const float near_right = slope(a.nearness, b.nearness, c.nearness);
  const float shade_right = slope(a.shade, b.shade, c.shade);
  const float shine_right = slope(a.shine, b.shine, c.shine);
  const float u_right = slope(a.u, b.u, c.u), v_right = slope(a.v, b.v, c.v);
  for (int y = box.y; y < box.y + box.height; ++y) {
    const float dx = static_cast<float>(box.x) + 0.5F - a.x,
                dy = static_cast<float>(y) + 0.5F - a.y;
    const float first_b = dx * b_right + dy * b_down, first_c = dx * c_right + dy * c_down;
    // The columns in which no share is negative.
    float from = 0.0F, to = static_cast<float>(box.width - 1);
    const auto bound = [&](float share, float right) {
      if (right > 0) from = std::max(from, -share / right);
      if (right < 0) to = std::min(to, -share / right);
      if (right == 0 && share < 0) to = -1.0F;
    };
    bound(first_b, b_right);
    bound(first_c, c_right);
    bound(1.0F - first_b - first_c, -b_right - c_right);
    if (to < from) continue;
    const int start = static_cast<int>(std::ceil(from)), end = static_cast<int>(to);
    const float of_b = first_b + b_right * static_cast<float>(start);
    const float of_c = first_c + c_right * static_cast<float>(start), of_a = 1.0F - of_b - of_c;
    float near = of_a * a.nearness + of_b * b.nearness + of_c * c.nearness;
    float shade = of_a * a.shade + of_b * b.shade + of_c * c.shade;
    float shine = of_a * a.shine + of_b * b.shine + of_c * c.shine;
    float u = of_a * a.u + of_b * b.u + of_c * c.u + 0.5F;
    float v = of_a * a.v + of_b * b.v + of_c * c.v + 0.5F;
    auto* colour = colour_.ptr<cv::Vec4b>(y) + box.x;
    auto* nearness = nearness_.ptr<float>(y) + box.x;
    for (int x = start; x <= end; ++x) {
      if (near > nearness[x]) {
        nearness[x] = near;
        const int column = std::clamp(static_cast<int>(u), 0, texture.cols - 1);
        const int row = std::clamp(static_cast<int>(v), 0, texture.rows - 1);
        const cv::Vec3b& texel = texture.ptr<cv::Vec3b>(row)[column];
        colour[x] = cv::Vec4b(to_byte(static_cast<float>(texel[0]) * shade + shine),
                              to_byte(static_cast<float>(texel[1]) * shade + shine),
                              to_byte(static_cast<float>(texel[2]) * shade + shine), 255);
      }
      near += near_right;
      shade += shade_right;
      shine += shine_right;
      u += u_right;
      v += v_right;
    }
  }
}

void Painter::finish(cv::Mat& picture) {
  if (touched_.area() <= 0) return;
  const int right = std::min((touched_.x + touched_.width + 1) / kFiner, picture.cols);
  const int bottom = std::min((touched_.y + touched_.height + 1) / kFiner, picture.rows);
  for (int y = touched_.y / kFiner; y < bottom; ++y) {
    const auto* upper = colour_.ptr<std::uint8_t>(kFiner * y);
    const auto* lower = colour_.ptr<std::uint8_t>(kFiner * y + 1);
    auto* out = picture.ptr<std::uint8_t>(y);
    for (int x = touched_.x / kFiner; x < right; ++x) {
      const std::uint8_t* p = upper + 8 * x;
      const std::uint8_t* q = lower + 8 * x;
      const int covered = p[3] + p[7] + q[3] + q[7];  // 0 to 1020; colours there are of weight one
      if (covered == 0) continue;
      for (int k = 0; k < 3; ++k) {
        const int sum = p[k] + p[k + 4] + q[k] + q[k + 4];
        out[3 * x + k] =
            static_cast<std::uint8_t>((sum + out[3 * x + k] * (1020 - covered) / 255) / 4);
      }
    }
  }
}

}  // namespace jackdaw::live::demo
