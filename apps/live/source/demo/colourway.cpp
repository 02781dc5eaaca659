// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/colourway.hpp"

#include <array>
#include <cmath>

#include "live/source/demo/wander.hpp"

namespace jackdaw::live::demo {
namespace {

constexpr double kLasts = 1.5;     // seconds
constexpr double kPassing = 0.35;  // share of them in which one turns into the next
constexpr std::uint64_t kWhich = 200;

using Colourway = std::array<cv::Vec3f, 3>;  // BGR
const std::array<Colourway, 7> kColourways{{
    {{{52, 74, 206}, {58, 116, 226}, {70, 190, 240}}},    // brick, orange, yellow
    {{{164, 96, 46}, {196, 164, 78}, {80, 110, 232}}},    // navy, teal, coral
    {{{84, 140, 62}, {70, 186, 170}, {64, 86, 214}}},     // green, olive, red
    {{{70, 186, 236}, {60, 110, 214}, {150, 92, 44}}},    // yellow, rust, blue
    {{{150, 92, 186}, {206, 150, 110}, {90, 200, 232}}},  // plum, sky, gold
    {{{178, 160, 62}, {96, 124, 58}, {120, 110, 232}}},   // turquoise, fir, rose
    {{{120, 118, 226}, {140, 84, 92}, {96, 176, 120}}},   // salmon, aubergine, sage
}};

}  // namespace

std::vector<cv::Vec3f> colours_at(std::uint64_t seed, std::uint64_t thing, double seconds) {
  const double when = seconds / kLasts;
  const double whole = std::floor(when);
  const auto way = [&](double n) -> const Colourway& {
    // Every one in turn, each thing in an order of its own.
    const auto step = static_cast<std::uint64_t>(n);
    const std::uint64_t stride = 1 + chance(seed, kWhich, thing) % (kColourways.size() - 1);
    return kColourways[(chance(seed, kWhich + 1, thing) + step * stride) % kColourways.size()];
  };
  const double rest = (when - whole - (1.0 - kPassing)) / kPassing;
  const auto share = static_cast<float>(rest < 0 ? 0.0 : rest);
  std::vector<cv::Vec3f> colours;
  for (std::size_t i = 0; i < 3; ++i) {
    colours.push_back(way(whole)[i] * (1 - share) + way(whole + 1)[i] * share);
  }
  colours.push_back({214, 232, 240});  // cream
  return colours;
}

}  // namespace jackdaw::live::demo
