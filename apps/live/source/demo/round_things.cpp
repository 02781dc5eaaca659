// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Things from the potter's wheel: mug, plant in a pot, rocket, ball.

#include <algorithm>
#include <cmath>

#include "live/source/demo/pattern.hpp"
#include "live/source/demo/things.hpp"

namespace jackdaw::live::demo {
namespace {

constexpr float kPi = 3.14159265F;

cv::Mat plain(const cv::Scalar& colour) { return Pattern(2, 2, colour).finished(); }

}  // namespace

Thing make_mug() {
  Thing mug;
  Pattern outside(512, 256, kMain);
  outside.bar({0, 0}, {1, 0.05F}, kCream);
  outside.bar({0, 0.9F}, {1, 1}, kSecond);
  for (int i = 0; i < 10; ++i) {  // a zigzag between two rows of dots
    const float left = static_cast<float>(i) / 10, step = 0.1F;
    outside.area({{left, 0.56F},
                  {left + step / 2, 0.36F},
                  {left + step, 0.56F},
                  {left + step, 0.66F},
                  {left + step / 2, 0.46F},
                  {left, 0.66F}},
                 kCream);
    outside.disc({left + step / 2, 0.22F}, 0.055F, kAccent);
    outside.disc({left, 0.78F}, 0.045F, kSecond);
  }
  mug.parts.push_back(
      {revolve({{0.30F, 0.0F}, {0.34F, 0.02F}, {0.36F, 0.06F}, {0.38F, 0.45F}, {0.39F, 0.78F}}, 44),
       outside.finished(), 0.5F});
  mug.parts.push_back({revolve({{0.39F, 0.78F},
                                {0.385F, 0.80F},
                                {0.36F, 0.80F},
                                {0.35F, 0.78F},
                                {0.34F, 0.10F},
                                {0.0F, 0.09F}},
                               44),
                       plain(kCream), 0.4F});
  std::vector<cv::Vec3f> path;
  for (int i = 0; i <= 16; ++i) {
    const float angle = kPi * (static_cast<float>(i) / 16 - 0.5F);
    path.push_back({0.36F + 0.27F * std::pow(std::max(std::cos(angle), 0.0F), 0.8F),
                    0.42F + 0.25F * std::sin(angle), 0});
  }
  mug.parts.push_back({tube(path, 0.052F, 12), plain(kMain), 0.5F});
  mug.facing = -0.35F;
  mug.swing = 0.85F;
  mug.foot = 0.42F;
  return mug;
}

Thing make_plant() {
  Thing plant;
  Pattern outside(256, 64, kMain);
  for (int i = 0; i < 8; ++i) {
    const float left = static_cast<float>(i) / 8;
    outside.area({{left, 0.9F}, {left + 0.0625F, 0.45F}, {left + 0.125F, 0.9F}}, kAccent);
  }
  plant.parts.push_back({revolve({{0.22F, 0.0F}, {0.30F, 0.30F}}, 36), outside.finished(), 0.1F});
  plant.parts.push_back(
      {revolve({{0.30F, 0.29F}, {0.34F, 0.29F}, {0.345F, 0.37F}, {0.30F, 0.37F}, {0.28F, 0.33F}},
               36),
       plain(kMain), 0.15F});
  plant.parts.push_back({revolve({{0.30F, 0.335F}, {0.0F, 0.345F}}, 24), plain(kDark), 0.0F});
  Pattern blade(32, 128, kSecond);
  blade.line({0.5F, 0}, {0.5F, 1}, 0.02F, kCream);
  for (int i = 1; i < 8; ++i) {
    const float down = static_cast<float>(i) / 8;
    blade.line({0.5F, down}, {0.0F, down + 0.1F}, 0.008F, kCream);
    blade.line({0.5F, down}, {1.0F, down + 0.1F}, 0.008F, kCream);
  }
  Mesh leaves;
  for (int i = 0; i < 15; ++i) {
    const float turn = 2.39996F * static_cast<float>(i);  // no two above one another
    const float height = static_cast<float>(i) / 15;
    const Mesh one =
        leaf(0.58F - 0.30F * height, 0.22F, 0.38F + 0.42F * height, 0.34F - 0.25F * height);
    leaves = join(std::move(leaves), place(one, turn_y(turn), {0, 0.34F, 0}));
  }
  plant.parts.push_back({std::move(leaves), blade.finished(), 0.2F});
  plant.swing = 1.2F;
  plant.foot = 0.36F;
  return plant;
}

Thing make_rocket() {
  Thing rocket;
  Pattern hull(256, 256, kCream);
  hull.bar({0, 0}, {1, 0.26F}, kMain);
  hull.bar({0, 0.26F}, {1, 0.29F}, kDark);
  hull.bar({0, 0.72F}, {1, 0.80F}, kSecond);
  for (int i = 0; i < 16; i += 2) {
    const float left = static_cast<float>(i) / 16;
    hull.bar({left, 0.84F}, {left + 1.0F / 16, 0.94F}, kMain);
  }
  for (const float side : {0.0F, 0.5F, 1.0F}) {  // the texture stretches across: ovals make circles
    hull.area(
        [&] {
          std::vector<cv::Vec2f> oval;
          for (int i = 0; i < 40; ++i) {
            const float a = 2 * kPi * static_cast<float>(i) / 40;
            oval.push_back({side + 0.075F * std::cos(a), 0.44F + 0.095F * std::sin(a)});
          }
          return oval;
        }(),
        kSecond);
    hull.area(
        [&] {
          std::vector<cv::Vec2f> oval;
          for (int i = 0; i < 40; ++i) {
            const float a = 2 * kPi * static_cast<float>(i) / 40;
            oval.push_back({side + 0.052F * std::cos(a), 0.44F + 0.066F * std::sin(a)});
          }
          return oval;
        }(),
        kAccent);
  }
  std::vector<cv::Vec2f> profile{{0.17F, 0.16F}};
  for (int i = 1; i <= 18; ++i) {
    const float t = static_cast<float>(i) / 18;
    profile.push_back({0.25F * std::pow(std::max(std::sin(kPi * (0.24F + 0.76F * t)), 0.0F), 0.8F),
                       0.16F + 0.98F * t});
  }
  rocket.parts.push_back({revolve(profile, 36), hull.finished(), 0.5F});
  rocket.parts.push_back(
      {revolve({{0.15F, 0.06F}, {0.10F, 0.17F}, {0.17F, 0.17F}}, 24), plain(kDark), 0.3F});
  Mesh fins;
  for (int i = 0; i < 3; ++i) {
    const Mesh fin = slab(
        {{0.15F, 0.22F}, {0.40F, 0.0F}, {0.43F, 0.03F}, {0.40F, 0.26F}, {0.22F, 0.52F}}, 0.05F);
    fins = join(std::move(fins),
                place(fin, turn_y(0.5F + 2 * kPi / 3 * static_cast<float>(i)), {0, 0, 0}));
  }
  rocket.parts.push_back({std::move(fins), plain(kMain), 0.4F});
  rocket.lean = 0.12F;
  rocket.foot = 0.38F;
  return rocket;
}

Thing make_ball() {
  Thing ball;
  Pattern panels(256, 128, kCream);
  const cv::Scalar colours[] = {kMain, kCream, kSecond, kCream, kAccent, kCream};
  for (int i = 0; i < 6; ++i) {
    const float left = static_cast<float>(i) / 6;
    panels.bar({left, 0}, {left + 1.0F / 6, 1}, colours[i]);
    panels.bar({left - 0.004F, 0}, {left + 0.004F, 1}, kDark);
  }
  panels.bar({0, 0}, {1, 0.1F}, kMain);
  panels.bar({0, 0.9F}, {1, 1}, kMain);
  Mesh sphere =
      place(ellipsoid({0.46F, 0.46F, 0.46F}, 44), turn_x(0.7F) * turn_z(0.35F), {0, 0.46F, 0});
  ball.parts.push_back({std::move(sphere), panels.finished(), 0.55F});
  ball.swing = 1.4F;
  ball.lean = 0.25F;
  ball.foot = 0.30F;
  return ball;
}

}  // namespace jackdaw::live::demo
