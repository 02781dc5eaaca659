// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Colours, for the CPU and for the kernels: constexpr, so that nvcc takes the same lines. Each
// operation is rounded by itself, in the order written here.

#include <cstdint>

namespace jackdaw {

// How bright a colour looks (BT.601).
constexpr float grey_of(float red, float green, float blue) {
  return 0.299F * red + 0.587F * green + 0.114F * blue;
}

// BT.601 in the limited range: 16..235 is black to white, 128 no colour. A channel is
// in_range(brightness(y) + what the colour plane adds to that channel).
constexpr float brightness(float y) { return 1.16438356F * (y - 16.0F); }
constexpr float red_of(float v) { return 1.59602678F * (v - 128.0F); }
constexpr float green_of(float u, float v) {
  return -0.39176229F * (u - 128.0F) - 0.81296765F * (v - 128.0F);
}
constexpr float blue_of(float u) { return 2.01723214F * (u - 128.0F); }
constexpr float in_range(float value) {
  const float from_black = value > 0.0F ? value : 0.0F;
  return from_black < 255.0F ? from_black : 255.0F;
}

}  // namespace jackdaw
