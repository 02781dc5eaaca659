// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The yardstick: the nearest taught picture by the distance of 16 by 16 colour pixels.
//
//   RawPixels raw;
//   raw.teach(picture.view, 3);
//   raw.nearest(other.view) == 3

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw::testing {

class RawPixels {
 public:
  void teach(const FrameView& frame, std::size_t object) {
    taught_.push_back({shrunk(frame), object});
  }

  std::size_t nearest(const FrameView& frame) const {
    const Pixels asked = shrunk(frame);
    double least = std::numeric_limits<double>::infinity();
    std::size_t object = 0;
    for (const Taught& one : taught_) {
      double distance = 0.0;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        distance += (asked[i] - one.pixels[i]) * (asked[i] - one.pixels[i]);
      }
      if (distance < least) least = distance, object = one.object;
    }
    return object;
  }

 private:
  static constexpr std::size_t kSide = 16;
  using Pixels = std::array<double, 3 * kSide * kSide>;
  struct Taught {
    Pixels pixels;
    std::size_t object;
  };

  static Pixels shrunk(const FrameView& frame) {  // BGR; means of what each pixel covers
    Pixels sums{};
    std::array<double, kSide * kSide> counts{};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(frame.data);
    for (std::size_t y = 0; y < frame.height; ++y) {
      for (std::size_t x = 0; x < frame.width; ++x) {
        const std::size_t at = y * kSide / frame.height * kSide + x * kSide / frame.width;
        counts[at] += 1.0;
        for (std::size_t k = 0; k < 3; ++k) sums[3 * at + k] += bytes[y * frame.stride + 3 * x + k];
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i / 3];
    return sums;
  }

  std::vector<Taught> taught_;
};

}  // namespace jackdaw::testing
