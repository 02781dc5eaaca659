// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Things put together from pieces: book, clock, car, duck.

#include <cmath>

#include "live/source/demo/pattern.hpp"
#include "live/source/demo/things.hpp"

namespace jackdaw::live::demo {
namespace {

constexpr float kPi = 3.14159265F;

cv::Mat plain(const cv::Scalar& colour) { return Pattern(2, 2, colour).finished(); }

// A round plate or drum that faces the camera.
Mesh drum(float radius, float depth, float rounding) {
  return place(revolve({{0, -depth / 2},
                        {radius - rounding, -depth / 2},
                        {radius, rounding - depth / 2},
                        {radius, depth / 2 - rounding},
                        {radius - rounding, depth / 2}},
                       36),
               turn_x(kPi / 2), {0, 0, 0});
}

std::vector<cv::Vec2f> rounded(float half_width, float half_height, float roundness) {
  std::vector<cv::Vec2f> outline;
  for (int i = 0; i < 40; ++i) {
    const float a = 2 * kPi * static_cast<float>(i) / 40;
    const auto bulge = [&](float v) { return std::copysign(std::pow(std::abs(v), roundness), v); };
    outline.push_back({half_width * bulge(std::cos(a)), half_height * bulge(std::sin(a))});
  }
  return outline;
}

}  // namespace

Thing make_book() {
  Thing book;
  constexpr float kWide = 0.36F, kHigh = 1.0F, kThick = 0.11F, kEdge = 0.03F;
  Pattern cover(128, 192, kMain);
  cover.bar({0.08F, 0.05F}, {0.94F, 0.95F}, kCream);
  cover.bar({0.10F, 0.065F}, {0.92F, 0.935F}, kMain);
  cover.bar({0.2F, 0.13F}, {0.82F, 0.19F}, kCream);  // a title of two lines
  cover.bar({0.3F, 0.23F}, {0.72F, 0.27F}, kCream);
  cover.disc({0.51F, 0.54F}, 0.17F, kSecond);
  cover.area({{0.51F, 0.40F},
              {0.58F, 0.51F},
              {0.72F, 0.52F},
              {0.61F, 0.59F},
              {0.66F, 0.69F},
              {0.51F, 0.62F},
              {0.36F, 0.69F},
              {0.41F, 0.59F},
              {0.30F, 0.52F},
              {0.44F, 0.51F}},
             kAccent);
  cover.bar({0.35F, 0.84F}, {0.67F, 0.87F}, kCream);
  Pattern back(32, 48, kMain);
  for (int i = 0; i < 6; ++i) {
    const float down = 0.2F + 0.1F * static_cast<float>(i);
    back.bar({0.2F, down}, {0.8F, down + 0.03F}, kCream);
  }
  Pattern spine(32, 128, kSecond);
  spine.bar({0, 0.1F}, {1, 0.13F}, kCream);
  spine.bar({0, 0.87F}, {1, 0.9F}, kCream);
  spine.bar({0.35F, 0.22F}, {0.65F, 0.7F}, kCream);
  Pattern pages(64, 64, kCream);
  for (int i = 0; i < 16; ++i) {
    const float left = static_cast<float>(i) / 16;
    pages.bar({left, 0}, {left + 0.02F, 1}, cv::Scalar(0, 0, 0, 175));
  }
  const cv::Vec3f right(2 * kWide, 0, 0), down(0, -kHigh, 0), back_wards(0, 0, -2 * kThick);
  book.parts.push_back({sheet({-kWide, kHigh, kThick}, right, down, 8), cover.finished(), 0.2F});
  book.parts.push_back({sheet({kWide, kHigh, -kThick}, -right, down, 8), back.finished(), 0.2F});
  book.parts.push_back(
      {sheet({-kWide, kHigh, -kThick}, -back_wards, down, 6), spine.finished(), 0.25F});
  // The pages lie a little inside the covers.
  const float top = kHigh - kEdge, side = kWide - kEdge, z = kThick - 0.02F;
  Mesh paper = sheet({side, top, z}, {0, 0, -2 * z}, {0, -top + kEdge, 0}, 4);
  paper =
      join(std::move(paper), place(sheet({-kWide, 0, -z}, {0, 0, 2 * z}, {side + kWide, 0, 0}, 4),
                                   cv::Matx33f::eye(), {0, top, 0}));
  book.parts.push_back({std::move(paper), pages.finished(), 0.0F});
  Mesh inner = sheet({kWide, kHigh, z}, -right, down, 4);
  inner = join(std::move(inner), sheet({-kWide, kHigh, -z}, right, down, 4));
  inner = join(std::move(inner), sheet({kWide, kHigh, kThick}, {0, 0, z - kThick}, down, 4));
  inner = join(std::move(inner), sheet({kWide, kHigh, -z}, {0, 0, z - kThick}, down, 4));
  inner = join(std::move(inner), sheet({-kWide, kHigh, z}, {0, 0, kThick - z}, right, 4));
  inner = join(std::move(inner), sheet({-kWide, kHigh, -kThick}, {0, 0, kThick - z}, right, 4));
  book.parts.push_back({std::move(inner), plain(kMain), 0.1F});
  book.facing = 0.25F;
  book.swing = 0.75F;
  book.foot = 0.42F;
  return book;
}

Thing make_clock() {
  Thing clock;
  constexpr float kMiddle = 0.47F, kRadius = 0.37F;
  clock.parts.push_back({place(drum(kRadius, 0.26F, 0.04F), cv::Matx33f::eye(), {0, kMiddle, 0}),
                         plain(kMain), 0.5F});
  Pattern face(160, 160, kCream);
  for (int i = 0; i < 60; ++i) {
    const float a = kPi / 30 * static_cast<float>(i), s = std::sin(a), c = std::cos(a);
    const float inner = i % 5 == 0 ? 0.35F : 0.42F;
    face.line({0.5F + inner * s, 0.5F - inner * c}, {0.5F + 0.45F * s, 0.5F - 0.45F * c},
              i % 5 == 0 ? 0.025F : 0.008F, kDark);
  }
  face.line({0.5F, 0.5F}, {0.34F, 0.36F}, 0.045F, kDark);
  face.line({0.5F, 0.5F}, {0.68F, 0.22F}, 0.03F, kDark);
  face.line({0.5F, 0.56F}, {0.5F, 0.80F}, 0.015F, kAccent);
  face.disc({0.5F, 0.5F}, 0.045F, kAccent);
  std::vector<cv::Vec2f> rim;
  for (int i = 0; i < 40; ++i) {
    const float a = 2 * kPi * static_cast<float>(i) / 40;
    rim.push_back({0.32F * std::cos(a), 0.32F * std::sin(a)});
  }
  clock.parts.push_back(
      {place(slab(rim, 0.01F), cv::Matx33f::eye(), {0, kMiddle, 0.135F}), face.finished(), 0.1F});
  std::vector<cv::Vec3f> bow;
  for (int i = 0; i <= 14; ++i) {
    const float a = kPi * (0.16F + 0.68F * static_cast<float>(i) / 14);
    bow.push_back({0.36F * std::cos(a), 0.72F + 0.36F * std::sin(a), 0});
  }
  Mesh metal = tube(bow, 0.025F, 8);
  for (const float side : {-1.0F, 1.0F}) {
    const std::vector<cv::Vec3f> leg{{side * 0.20F, 0.20F, 0}, {side * 0.31F, 0.0F, 0}};
    metal = join(std::move(metal), tube(leg, 0.04F, 8));
    metal = join(std::move(metal), place(ellipsoid({0.05F, 0.05F, 0.05F}, 12), cv::Matx33f::eye(),
                                         {side * 0.31F, 0.04F, 0}));
  }
  metal = join(std::move(metal), tube({{0, 0.80F, 0}, {0, 0.94F, 0}}, 0.02F, 8));
  metal = join(std::move(metal),
               place(ellipsoid({0.045F, 0.06F, 0.05F}, 12), cv::Matx33f::eye(), {0, 0.95F, 0}));
  clock.parts.push_back({std::move(metal), plain(kSecond), 0.7F});
  std::vector<cv::Vec2f> dome{{0.0F, -0.01F}, {0.16F, 0.0F}};
  for (int i = 1; i <= 8; ++i) {
    const float a = kPi / 2 * static_cast<float>(i) / 8;
    dome.push_back({0.16F * std::cos(a), 0.14F * std::sin(a)});
  }
  Mesh bells;
  for (const float side : {-1.0F, 1.0F}) {
    bells = join(std::move(bells),
                 place(revolve(dome, 24), turn_z(-0.6F * side), {side * 0.22F, 0.84F, 0}));
  }
  clock.parts.push_back({std::move(bells), plain(kAccent), 0.8F});
  clock.swing = 0.75F;
  clock.foot = 0.36F;
  return clock;
}

Thing make_car() {
  Thing car;
  Pattern side(192, 64, kMain);
  side.bar({0, 0.50F}, {1, 0.60F}, kSecond);
  side.line({0.38F, 0.1F}, {0.38F, 1}, 0.02F, kDark);
  side.line({0.66F, 0.1F}, {0.66F, 1}, 0.02F, kDark);
  side.bar({0.58F, 0.3F}, {0.64F, 0.36F}, kCream);
  car.parts.push_back(
      {place(slab(rounded(0.74F, 0.20F, 0.35F), 0.56F), cv::Matx33f::eye(), {0, 0.32F, 0}),
       side.finished(), 0.6F});
  Pattern cabin(128, 64, kMain);
  cabin.area({{0.19F, 0.92F}, {0.27F, 0.2F}, {0.48F, 0.2F}, {0.48F, 0.92F}},
             cv::Scalar(0, 0, 0, 90));
  cabin.area({{0.52F, 0.92F}, {0.52F, 0.2F}, {0.72F, 0.2F}, {0.83F, 0.92F}},
             cv::Scalar(0, 0, 0, 90));
  car.parts.push_back({place(slab({{-0.46F, 0.0F},
                                   {0.46F, 0.0F},
                                   {0.30F, 0.27F},
                                   {0.22F, 0.30F},
                                   {-0.22F, 0.30F},
                                   {-0.32F, 0.27F}},
                                  0.50F),
                             cv::Matx33f::eye(), {-0.04F, 0.48F, 0}),
                       cabin.finished(), 0.5F});
  const cv::Mat glass = plain(cv::Scalar(0, 0, 0, 90));  // front and rear windows, a little outside
  Mesh windows = sheet({0.415F, 0.50F, 0.22F}, {0, 0, -0.44F}, {-0.142F, 0.235F, 0}, 2);
  for (auto& t : windows.triangles) std::swap(t[1], t[2]);
  for (Vertex& v : windows.vertices) v.normal = -v.normal;
  windows = join(std::move(windows),
                 sheet({-0.49F, 0.50F, 0.22F}, {0, 0, -0.44F}, {0.125F, 0.235F, 0}, 2));
  car.parts.push_back({std::move(windows), glass, 0.8F});
  Pattern hub(64, 64, kDark);
  hub.disc({0.5F, 0.5F}, 0.30F, kCream);
  hub.disc({0.5F, 0.5F}, 0.22F, kAccent);
  for (int i = 0; i < 5; ++i) {
    const float a = 2 * kPi / 5 * static_cast<float>(i);
    hub.line({0.5F, 0.5F}, {0.5F + 0.24F * std::cos(a), 0.5F + 0.24F * std::sin(a)}, 0.06F, kCream);
  }
  Mesh wheels;
  Mesh lamps;
  for (const float z : {-0.25F, 0.25F}) {
    for (const float x : {-0.43F, 0.43F}) {
      wheels = join(std::move(wheels), place(slab(rounded(0.175F, 0.175F, 1.0F), 0.16F),
                                             cv::Matx33f::eye(), {x, 0.175F, z}));
    }
    lamps = join(std::move(lamps), place(ellipsoid({0.03F, 0.07F, 0.07F}, 14), cv::Matx33f::eye(),
                                         {0.735F, 0.34F, 0.75F * z}));
  }
  car.parts.push_back({std::move(wheels), hub.finished(), 0.2F});
  car.parts.push_back({std::move(lamps), plain(kCream), 0.8F});
  const Mesh bumper = tube({{0.70F, 0.20F, 0.28F},
                            {0.77F, 0.20F, 0.18F},
                            {0.77F, 0.20F, -0.18F},
                            {0.70F, 0.20F, -0.28F}},
                           0.04F, 8);
  car.parts.push_back({join(bumper, place(bumper, turn_y(kPi), {0, 0, 0})), plain(kSecond), 0.7F});
  for (Part& part : car.parts) {  // it is long: a little smaller it stays in the picture
    for (Vertex& v : part.mesh.vertices) v.position *= 0.84F;
  }
  car.facing = -0.45F;
  car.swing = 0.65F;
  car.foot = 0.63F;
  return car;
}

Thing make_duck() {
  Thing duck;
  Pattern body(128, 64, kMain);
  Mesh torso = ellipsoid({0.46F, 0.30F, 0.34F}, 40);
  for (Vertex& v : torso.vertices) {  // the tail rises to a point
    const float behind = std::max(-v.position[0] - 0.12F, 0.0F);
    v.position[1] += 1.9F * behind * behind;
    v.position[2] *= 1.0F - 0.9F * behind;
  }
  duck.parts.push_back(
      {place(std::move(torso), cv::Matx33f::eye(), {0, 0.29F, 0}), body.finished(), 0.5F});
  Mesh head = place(ellipsoid({0.25F, 0.25F, 0.24F}, 36), cv::Matx33f::eye(), {0.22F, 0.74F, 0});
  duck.parts.push_back({std::move(head), plain(kMain), 0.5F});
  Pattern feathers(64, 64, kSecond);
  for (int i = 1; i < 4; ++i) {
    const float down = static_cast<float>(i) / 4;
    feathers.line({0.0F, down}, {1.0F, down}, 0.03F, kCream);
  }
  Mesh wings, eyes, pupils;
  for (const float side : {-1.0F, 1.0F}) {
    wings = join(std::move(wings), place(ellipsoid({0.25F, 0.15F, 0.06F}, 24), turn_z(-0.25F),
                                         {-0.10F, 0.36F, side * 0.31F}));
    eyes = join(std::move(eyes), place(ellipsoid({0.05F, 0.06F, 0.035F}, 14), turn_y(-0.5F * side),
                                       {0.36F, 0.81F, side * 0.165F}));
    pupils = join(std::move(pupils), place(ellipsoid({0.03F, 0.037F, 0.03F}, 12),
                                           turn_y(-0.5F * side), {0.385F, 0.81F, side * 0.175F}));
  }
  duck.parts.push_back({std::move(wings), feathers.finished(), 0.4F});
  duck.parts.push_back({std::move(eyes), plain(kCream), 0.6F});
  duck.parts.push_back({std::move(pupils), plain(kDark), 0.9F});
  Mesh beak = place(ellipsoid({0.15F, 0.035F, 0.12F}, 24), turn_z(0.12F), {0.50F, 0.73F, 0});
  beak = join(std::move(beak),
              place(ellipsoid({0.12F, 0.03F, 0.10F}, 24), turn_z(-0.12F), {0.48F, 0.68F, 0}));
  duck.parts.push_back({std::move(beak), plain(kAccent), 0.4F});
  duck.facing = -0.6F;
  duck.swing = 0.8F;
  duck.foot = 0.48F;
  return duck;
}

}  // namespace jackdaw::live::demo
