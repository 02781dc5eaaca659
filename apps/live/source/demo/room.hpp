// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the demo's things stand: a wall, out of focus, and a table before it.
//
//   cv::Mat room = make_room(2, seed);         // wider than a picture: the camera may move along
//   it

#include <cstdint>
#include <opencv2/core.hpp>

namespace jackdaw::live::demo {

constexpr int kRooms = 6;
inline const cv::Size kRoomSize(760, 520);
constexpr int kTableEdge = 225;  // rows from the top, in a room

cv::Mat make_room(int which, std::uint64_t seed);

}  // namespace jackdaw::live::demo
