// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Something to stand an object before: patches of colours, sharp or soft, or stripes, with grain.
// Made up on the spot, so that no pictures have to be carried along.

#include "core/random.hpp"
#include "live/variation/small_frame.hpp"

namespace jackdaw::live {

// Fills all pixels of the canvas, whose size is set.
void draw_backdrop(Random& random, SmallFrame& canvas) noexcept;

}  // namespace jackdaw::live
