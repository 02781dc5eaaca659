// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Shapes made of triangles, for the things of the demo. y is up, z towards the camera; a thing
// stands on y = 0 and is about one unit high.
//
//   Mesh mug = revolve({{0.36F, 0.0F}, {0.40F, 0.85F}}, 40);
//   Mesh handle = place(tube(path, 0.05F, 10), rotation, {0.4F, 0.0F, 0.0F});

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace jackdaw::live::demo {

struct Vertex {
  cv::Vec3f position, normal;
  cv::Vec2f texture;  // 0 to 1
};

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// A profile of (radius, height), from the bottom up, turned about the y axis. Corners sharper than
// 40 degrees stay sharp. Texture: across is once around, down is along the profile from its end.
Mesh revolve(const std::vector<cv::Vec2f>& profile, int segments);
Mesh ellipsoid(const cv::Vec3f& radii, int segments);
// A flat piece with a grid of cells; its texture's top left corner is at the origin.
Mesh sheet(const cv::Vec3f& origin, const cv::Vec3f& across, const cv::Vec3f& down, int cells);
// A convex outline in the x-y plane, anticlockwise, made `depth` thick about z = 0; the texture is
// laid over x and y, and the rim takes the texture's edge.
Mesh slab(const std::vector<cv::Vec2f>& outline, float depth);
// Along a path, round, open at the ends.
Mesh tube(const std::vector<cv::Vec3f>& path, float radius, int sides);
// A pointed blade: from the origin outwards along x and up, then down; seen from both sides.
Mesh leaf(float length, float width, float rise, float fall);

cv::Matx33f turn_x(float radians);
cv::Matx33f turn_y(float radians);
cv::Matx33f turn_z(float radians);
Mesh place(Mesh mesh, const cv::Matx33f& turn, const cv::Vec3f& shift);
Mesh join(Mesh first, const Mesh& second);

}  // namespace jackdaw::live::demo
