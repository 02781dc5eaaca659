// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The middle seven eighths of a frame, mirrored left to right, with pixels of its own.

#include <cstddef>
#include <vector>

#include "jackdaw/engines/frame.hpp"

namespace jackdaw {

struct MirroredMiddle {
  std::vector<std::byte> pixels;  // used again by the next frame
  FrameView view;                 // into pixels
};

// A frame that check() accepts, in host memory. Sides under 16 pixels are not cut.
void mirror_middle(const FrameView& frame, MirroredMiddle& out);

}  // namespace jackdaw
