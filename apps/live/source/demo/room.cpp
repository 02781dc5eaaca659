// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/room.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace jackdaw::live::demo {
namespace {

using Colour = cv::Scalar;  // BGR

constexpr int kTop = 640;  // a table's texture, seen from above, is square

// Smooth noise of about the given amplitude, added to all channels alike.
void grain(cv::Mat& picture, cv::RNG& random, cv::Size cells, double amplitude) {
  cv::Mat small(cells, CV_32F), large;
  random.fill(small, cv::RNG::UNIFORM, -amplitude, amplitude);
  cv::resize(small, large, picture.size(), 0, 0, cv::INTER_CUBIC);
  std::vector<cv::Mat> channels;
  cv::split(picture, channels);
  for (cv::Mat& channel : channels) cv::add(channel, large, channel, cv::noArray(), CV_8U);
  cv::merge(channels, picture);
}

Colour lighter(const Colour& colour, double factor) { return colour * factor; }

cv::Mat planks(const Colour& wood, int count, cv::RNG& random) {
  cv::Mat top(kTop, kTop, CV_8UC3, wood);
  const int width = kTop / count;
  for (int i = 0; i < count; ++i) {
    const cv::Rect board(i * width, 0, width, kTop);
    top(board).setTo(lighter(wood, random.uniform(0.86, 1.1)));
    cv::Mat part = top(board);
    grain(part, random, {10, 3}, 14);
    cv::line(top, {board.x, 0}, {board.x, kTop}, lighter(wood, 0.5), 3);
  }
  grain(top, random, {120, 4}, 10);
  return top;
}

cv::Mat checked_cloth(const Colour& first, const Colour& second) {
  cv::Mat top(kTop, kTop, CV_8UC3, first);
  constexpr int kSquare = 40;
  for (int y = 0; y < kTop; y += kSquare) {
    for (int x = 0; x < kTop; x += kSquare) {
      const bool odd_row = (y / kSquare) % 2 != 0, odd_column = (x / kSquare) % 2 != 0;
      if (!odd_row && !odd_column) continue;
      const Colour mixed = odd_row && odd_column ? second : (first + second) * 0.5;
      cv::rectangle(top, cv::Rect(x, y, kSquare, kSquare), mixed, cv::FILLED);
    }
  }
  return top;
}

cv::Mat stone(const Colour& ground, const Colour& vein, cv::RNG& random) {
  cv::Mat top(kTop, kTop, CV_8UC3, ground);
  for (int i = 0; i < 14; ++i) {
    cv::Point at(random.uniform(0, kTop), random.uniform(0, kTop));
    for (int step = 0; step < 30; ++step) {
      const cv::Point next = at + cv::Point(random.uniform(-16, 28), random.uniform(-20, 22));
      cv::line(top, at, next, vein, random.uniform(1, 4), cv::LINE_AA);
      at = next;
    }
  }
  cv::GaussianBlur(top, top, {7, 7}, 0);
  grain(top, random, {24, 24}, 10);
  return top;
}

cv::Mat wallpaper(const Colour& ground, const Colour& stripe) {
  cv::Mat wall(kTableEdge, kRoomSize.width, CV_8UC3, ground);
  for (int x = 0; x < wall.cols; x += 64) {
    cv::rectangle(wall, cv::Rect(x, 0, 26, wall.rows), stripe, cv::FILLED);
  }
  return wall;
}

cv::Mat tiles(const Colour& tile, const Colour& joint, cv::Size size, bool shifted,
              cv::RNG& random) {
  cv::Mat wall(kTableEdge, kRoomSize.width, CV_8UC3, joint);
  for (int row = 0; row * size.height < wall.rows; ++row) {
    for (int x = shifted && row % 2 != 0 ? -size.width / 2 : 0; x < wall.cols; x += size.width) {
      const cv::Rect one(x + 2, row * size.height + 2, size.width - 4, size.height - 4);
      cv::rectangle(wall, one, lighter(tile, random.uniform(0.85, 1.1)), cv::FILLED);
    }
  }
  return wall;
}

cv::Mat shelf(cv::RNG& random) {
  cv::Mat wall(kTableEdge, kRoomSize.width, CV_8UC3, Colour(46, 52, 60));
  for (const int floor : {110, kTableEdge}) {
    for (int x = 4; x < wall.cols;) {
      const int width = random.uniform(10, 26), height = random.uniform(60, 94);
      const Colour back(random.uniform(50, 190), random.uniform(50, 180), random.uniform(60, 200));
      cv::rectangle(wall, cv::Rect(x, floor - height, width, height), back, cv::FILLED);
      x += width + (random.uniform(0, 7) == 0 ? 30 : 1);
    }
    cv::rectangle(wall, cv::Rect(0, floor - 4, wall.cols, 8), Colour(60, 84, 110), cv::FILLED);
  }
  return wall;
}

cv::Mat evening_lights(cv::RNG& random) {
  cv::Mat wall(kTableEdge, kRoomSize.width, CV_8UC3, Colour(74, 52, 44));
  for (int i = 0; i < 46; ++i) {
    cv::Mat with = wall.clone();
    const Colour light(random.uniform(60, 200), random.uniform(120, 220), random.uniform(170, 255));
    cv::circle(with, {random.uniform(0, wall.cols), random.uniform(0, wall.rows)},
               random.uniform(7, 26), light, cv::FILLED, cv::LINE_AA);
    cv::addWeighted(wall, 0.6, with, 0.4, 0, wall);
  }
  return wall;
}

cv::Mat window_wall(const Colour& paint) {
  cv::Mat wall(kTableEdge, kRoomSize.width, CV_8UC3, paint);
  const cv::Rect frame(90, -30, 190, 190);
  cv::rectangle(wall, frame, Colour(235, 238, 240), cv::FILLED);
  for (const int column : {0, 1}) {
    for (const int row : {0, 1}) {
      const cv::Rect pane(frame.x + 10 + column * 90, frame.y + 10 + row * 90, 80, 80);
      cv::rectangle(wall, pane, Colour(226, 206, 178), cv::FILLED);
    }
  }
  cv::rectangle(wall, cv::Rect(470, 30, 130, 100), Colour(70, 96, 120), cv::FILLED);  // a painting
  cv::rectangle(wall, cv::Rect(480, 40, 110, 80), Colour(190, 200, 196), cv::FILLED);
  cv::Mat painting = wall(cv::Rect(480, 40, 110, 80));
  cv::ellipse(painting, {44, 84}, {60, 44}, 0, 180, 360, Colour(120, 150, 110), cv::FILLED);
  return wall;
}

// The table runs away from the camera: narrow at its far edge.
void lay_table(cv::Mat& room, const cv::Mat& top) {
  const auto width = static_cast<float>(room.cols), height = static_cast<float>(room.rows);
  const auto side = static_cast<float>(kTop), edge = static_cast<float>(kTableEdge);
  const std::vector<cv::Point2f> from{{0, 0}, {side, 0}, {side, side}, {0, side}};
  const std::vector<cv::Point2f> to{{-0.25F * width, edge},
                                    {1.25F * width, edge},
                                    {2.1F * width, height},
                                    {-1.1F * width, height}};
  cv::Mat laid;
  cv::warpPerspective(top, laid, cv::getPerspectiveTransform(from, to), room.size(),
                      cv::INTER_AREA);
  const cv::Rect below(0, kTableEdge, room.cols, room.rows - kTableEdge);
  laid(below).copyTo(room(below));
  cv::Mat far_part = room(cv::Rect(0, kTableEdge, room.cols, 70));  // out of focus, like the wall
  cv::Mat soft;
  cv::GaussianBlur(far_part, soft, {5, 5}, 0);
  soft.copyTo(far_part);
}

}  // namespace

cv::Mat make_room(int which, std::uint64_t seed) {
  cv::RNG random(seed * 977 + static_cast<std::uint64_t>(which) + 1);
  cv::Mat wall, top;
  switch (which) {
    case 0:
      wall = window_wall(Colour(168, 186, 176));
      top = planks(Colour(96, 142, 186), 9, random);
      break;
    case 1:
      wall = wallpaper(Colour(196, 214, 224), Colour(176, 190, 206));
      top = checked_cloth(Colour(230, 232, 236), Colour(150, 120, 90));
      break;
    case 2:
      wall = tiles(Colour(206, 212, 208), Colour(160, 162, 160), {52, 38}, false, random);
      top = stone(Colour(214, 216, 220), Colour(170, 172, 178), random);
      break;
    case 3:
      wall = shelf(random);
      top = planks(Colour(52, 66, 92), 6, random);
      break;
    case 4:
      wall = tiles(Colour(92, 104, 160), Colour(150, 156, 164), {64, 24}, true, random);
      top = stone(Colour(136, 136, 134), Colour(120, 120, 120), random);
      break;
    default:
      wall = evening_lights(random);
      top = planks(Colour(122, 104, 84), 8, random);
      break;
  }
  cv::GaussianBlur(wall, wall, {0, 0}, which == 5 ? 2.0 : 4.0);
  cv::Mat room(kRoomSize, CV_8UC3);
  wall.copyTo(room.rowRange(0, kTableEdge));
  lay_table(room, top);
  cv::line(room, {0, kTableEdge}, {room.cols, kTableEdge}, lighter(Colour(60, 60, 60), 1.0), 2,
           cv::LINE_AA);
  return room;
}

}  // namespace jackdaw::live::demo
