// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The light of a moment: how bright, of which colour, from which side; and the camera's noise.
//
//   Lighting lighting(seed, {640, 480});
//   lighting.shine(light_at(seed, seconds), frame_number, picture);

#include <cstdint>
#include <opencv2/core.hpp>

namespace jackdaw::live::demo {

struct Light {
  float brightness = 1.0F;
  cv::Vec3f cast{1, 1, 1};            // BGR
  float across = 0, down = 0;         // brighter to the right, brighter below; share, -0.5 to 0.5
  cv::Vec3f towards{0, 0.8F, -0.6F};  // the lamp, in the camera's axes; of length 1
};

Light light_at(std::uint64_t seed, double seconds);

class Lighting {
 public:
  Lighting(std::uint64_t seed, cv::Size size);
  void shine(const Light& light, std::uint64_t frame, cv::Mat& picture) const;

 private:
  std::uint64_t seed_;
  cv::Mat noise_;  // larger than a picture: every frame takes another part
};

}  // namespace jackdaw::live::demo
