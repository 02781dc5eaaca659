// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/light.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "live/source/demo/wander.hpp"

namespace jackdaw::live::demo {
namespace {

constexpr int kSpare = 97;      // how far the noise's part moves
constexpr double kNoise = 4.0;  // standard deviation, of 255
enum What : std::uint64_t { kBrightness = 100, kWarm, kGreen, kAcross, kDown, kLamp, kGrain };

}  // namespace

Light light_at(std::uint64_t seed, double seconds) {
  Light light;
  light.brightness = mix(0.70F, 1.18F, wander(seed, kBrightness, seconds / 2.3));
  const float warm = mix(-0.14F, 0.14F, wander(seed, kWarm, seconds / 3.1));
  light.cast = {1 - warm, 1 + mix(-0.05F, 0.05F, wander(seed, kGreen, seconds / 3.7)), 1 + warm};
  light.across = mix(-0.32F, 0.32F, wander(seed, kAcross, seconds / 2.9));
  light.down = mix(-0.18F, 0.18F, wander(seed, kDown, seconds / 4.3));
  const float angle = mix(-1.1F, 1.1F, wander(seed, kLamp, seconds / 2.9)) + 1.2F * light.across;
  const cv::Vec3f lamp(std::sin(angle), 0.85F, -0.75F * std::cos(angle));
  light.towards = lamp * (1.0F / std::sqrt(lamp.dot(lamp)));
  return light;
}

Lighting::Lighting(std::uint64_t seed, cv::Size size) : seed_(seed) {
  cv::RNG random(seed + 17);
  noise_.create(size + cv::Size(kSpare, kSpare), CV_16SC3);
  random.fill(noise_, cv::RNG::NORMAL, cv::Scalar::all(128), cv::Scalar::all(kNoise * 256));
}

// Whole numbers, 256 for one: this touches every byte of the frame.
void Lighting::shine(const Light& light, std::uint64_t frame, cv::Mat& picture) const {
  const std::uint64_t draw = chance(seed_, kGrain, frame);
  const int noise_x = static_cast<int>(draw % kSpare);
  const int noise_y = static_cast<int>((draw >> 32U) % kSpare);
  const auto columns = static_cast<std::size_t>(picture.cols);
  std::vector<std::int32_t> gains(columns * 3);
  for (std::size_t x = 0; x < columns; ++x) {
    const float place = static_cast<float>(x) / static_cast<float>(columns) - 0.5F;
    for (std::size_t k = 0; k < 3; ++k) {
      const float gain =
          light.brightness * light.cast[static_cast<int>(k)] * (1 + light.across * place);
      gains[3 * x + k] = static_cast<std::int32_t>(std::lround(256 * gain));
    }
  }
  for (int y = 0; y < picture.rows; ++y) {
    const float place = static_cast<float>(y) / static_cast<float>(picture.rows) - 0.5F;
    const auto row_gain = static_cast<std::int32_t>(std::lround(256 * (1 + light.down * place)));
    const auto* noise = noise_.ptr<std::int16_t>(y + noise_y) + 3 * noise_x;
    auto* row = picture.ptr<std::uint8_t>(y);
    for (std::size_t i = 0; i < columns * 3; ++i) {
      const std::int32_t lit = ((row[i] * gains[i] * (row_gain / 2)) >> 15) + (noise[i] >> 8);
      row[i] = static_cast<std::uint8_t>(std::clamp(lit, 0, 255));
    }
  }
}

}  // namespace jackdaw::live::demo
