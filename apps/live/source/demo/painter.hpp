// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Draws a thing: its triangles, lit and textured, over a picture. Twice as fine as the picture and
// then averaged, so that edges are smooth.
//
//   Painter painter({640, 480});
//   painter.begin();
//   for (const Part& part : thing.parts) painter.draw(part.mesh, texture, view);
//   painter.finish(picture);

#include <opencv2/core.hpp>
#include <vector>

#include "live/source/demo/mesh.hpp"

namespace jackdaw::live::demo {

struct View {
  cv::Matx33f turn;    // of the thing, before the camera
  cv::Vec3f shift;     // to the camera's axes: x right, y up, z away
  float focal = 0.0F;  // pixels of the picture
  cv::Vec2f centre;    // pixels of the picture
  cv::Vec3f light;     // towards it, in the camera's axes; of length 1
  float gloss = 0.3F;  // of the surface
};

class Painter {
 public:
  explicit Painter(cv::Size size);
  void begin();
  void draw(const Mesh& mesh, const cv::Mat& texture, const View& view);
  void finish(cv::Mat& picture);

 private:
  struct Corner {
    float x, y, nearness, shade, shine, u, v;
  };
  void fill(const Corner& a, const Corner& b, const Corner& c, const cv::Mat& texture);

  cv::Mat colour_;    // BGR and how much of the pixel is covered
  cv::Mat nearness_;  // 1 / distance
  cv::Rect touched_;  // since begin()
  std::vector<Corner> corners_;
};

}  // namespace jackdaw::live::demo
