// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a picture becomes: the input of a graph, as its manifest says. Plain numbers, so that a
// kernel can be given it as it is.

#include <cstddef>
#include <cstdint>

#include "jackdaw/engines/manifest.hpp"

namespace jackdaw {

struct Target {
  std::uint32_t width = 0, height = 0;
  std::uint32_t channels = 0;  // 1 or 3
  ColourOrder colour = ColourOrder::kRgb;
  // (value/255 - mean)/deviation as value*scale + offset, a channel; both computed in double.
  float scale[3] = {};
  float offset[3] = {};

  std::size_t plane() const noexcept { return std::size_t{width} * height; }
  std::size_t size() const noexcept { return plane() * channels; }
};

// ManifestError if the fields contradict each other.
Target target_of(const Manifest& manifest);

}  // namespace jackdaw
