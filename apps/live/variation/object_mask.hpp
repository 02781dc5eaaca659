// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which pixels of a small frame show the object and which the background, as far as the border
// tells: where most of the border has one colour, that colour, grown inwards from the border, is
// the background. Cheap, and honest about frames where it cannot know.
//
//   ObjectMask mask;
//   if (!find_object(small, mask)) cover_middle(...);      // textured, or the object fills it all

#include <array>
#include <cstdint>

#include "live/variation/small_frame.hpp"

namespace jackdaw::live {

struct ObjectMask {  // 255 object, 0 background, a soft step between them
  std::array<std::uint8_t, kMostSmallPixelsASide * kMostSmallPixelsASide> share{};
};

// False, and all of it object, if no one colour makes up half of the border, or what is left is
// too little or too much of the frame to be an object before a background.
bool find_object(const SmallFrame& frame, ObjectMask& mask) noexcept;

// An ellipse around a point, for frames where find_object() knows nothing. In 1/1024 of the frame's
// sides.
struct Ellipse {
  std::int32_t x, y;                     // its middle
  std::int32_t half_width, half_height;  // at least 1
};
void cover_ellipse(const SmallFrame& frame, const Ellipse& ellipse, ObjectMask& mask) noexcept;

}  // namespace jackdaw::live
