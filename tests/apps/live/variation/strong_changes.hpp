// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A turntable frame as it might look elsewhere: a part of it (0.75 to 1 of each side), under other
// light (0.6 to 1.3, with a colour cast), before noisy colours where it was white. Drawn from a
// seed with a generator of its own: nothing is shared with the variations that are taught.
//
//   Picture changed;
//   change_strongly(picture.view, strong_seed(object, frame), changed);

#include <cstdint>
#include <vector>

#include "jackdaw/engines/picture.hpp"

namespace jackdaw::testing {

// Of the committed changes of test frame `frame` of object `object`; other series for training.
constexpr std::uint64_t strong_seed(std::uint64_t object, std::uint64_t frame,
                                    std::uint64_t series = 6) {
  return (series * 1000 + object) * 1000 + frame;
}

// The frame must be BGR without gaps between its rows.
void change_strongly(const FrameView& frame, std::uint64_t seed, Picture& changed);

// Where the frame is white and joined to its border by white: 1, elsewhere 0. One byte a pixel.
std::vector<std::uint8_t> white_around(const FrameView& frame);

}  // namespace jackdaw::testing
