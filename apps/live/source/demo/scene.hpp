// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The demo as a function of its frame's number: which thing is shown, how it is turned, in which
// colours, light and room. The same number gives the same picture again.
//
//   SceneSettings settings;
//   settings.things = {"mug", "ball"};
//   Scene scene(settings);
//   std::string shown = scene.draw(120, picture);      // 640x480; "": the table is empty

#include <cstdint>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

#include "live/source/demo/light.hpp"
#include "live/source/demo/painter.hpp"
#include "live/source/demo/thing.hpp"

namespace jackdaw::live::demo {

inline const cv::Size kPictureSize(640, 480);
constexpr double kFramesASecond = 30.0;

struct SceneSettings {
  std::vector<std::string> things;  // one after the other; empty: all
  double speed = 1.0;               // of all that moves or changes
  double hold = 6.0;                // seconds that a thing is shown
  double empty = 0.8;               // seconds of an empty table between two things
  std::uint64_t seed = 1;
};

class Scene {
 public:
  explicit Scene(SceneSettings settings);
  // From frame 1 on. The name of what is shown.
  std::string draw(std::uint64_t number, cv::Mat& picture);
  // This one instead of the sequence's.
  std::string draw(std::uint64_t number, const std::string& thing, cv::Mat& picture);
  const std::vector<std::string>& things() const { return settings_.things; }

 private:
  void draw_room(double seconds, cv::Mat& picture);
  void draw_thing(const Thing& thing, double seconds, const Light& light, cv::Mat& picture);
  void colour(const Thing& thing, const std::vector<cv::Vec3f>& colours);

  SceneSettings settings_;
  std::vector<Thing> things_;
  std::vector<cv::Mat> rooms_;
  Painter painter_;
  Lighting lighting_;
  // Of the thing that was drawn last, in its colours then: most frames need no others.
  std::vector<cv::Mat> textures_;
  std::string coloured_;
  std::vector<cv::Vec3f> colours_;
};

}  // namespace jackdaw::live::demo
