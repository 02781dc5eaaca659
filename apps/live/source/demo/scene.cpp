// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo/scene.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "live/source/demo/colourway.hpp"
#include "live/source/demo/room.hpp"
#include "live/source/demo/wander.hpp"

namespace jackdaw::live::demo {
namespace {

constexpr float kFocal = 800.0F;     // pixels
constexpr float kDistance = 2.5F;    // of the camera from a thing, whose height is about 1
constexpr float kLookDown = 0.28F;   // radians
constexpr float kStandsAt = 412.0F;  // rows from the top
constexpr double kRoomLasts = 2.6;   // seconds
constexpr double kRoomFades = 0.4;   // seconds
constexpr float kPi = 3.14159265F;
enum What : std::uint64_t { kPan = 1, kTilt, kTurn, kLean, kLeft, kNear, kRoom, kSway };

// A thing's soft shadow on the table.
void draw_shadow(cv::Point2f middle, float half_width, float strength, cv::Mat& picture) {
  const float half_height = 0.30F * half_width;
  const cv::Rect box =
      cv::Rect(static_cast<int>(middle.x - half_width), static_cast<int>(middle.y - half_height),
               static_cast<int>(2 * half_width), static_cast<int>(2 * half_height)) &
      cv::Rect(0, 0, picture.cols, picture.rows);
  for (int y = box.y; y < box.y + box.height; ++y) {
    auto* row = picture.ptr<std::uint8_t>(y);
    const float v = (static_cast<float>(y) - middle.y) / half_height;
    for (int x = box.x; x < box.x + box.width; ++x) {
      const float u = (static_cast<float>(x) - middle.x) / half_width;
      const float inside = 1 - u * u - v * v;
      if (inside <= 0) continue;
      const auto keep = static_cast<int>(256 * (1 - strength * std::min(1.0F, 1.6F * inside)));
      for (int k = 0; k < 3; ++k) {
        row[3 * x + k] = static_cast<std::uint8_t>((row[3 * x + k] * keep) >> 8);
      }
    }
  }
}

void colour_pattern(const cv::Mat& pattern, const std::vector<cv::Vec3f>& colours,
                    cv::Mat& texture) {
  texture.create(pattern.size(), CV_8UC3);
  const cv::Vec3f dark(36, 32, 34);
  for (int y = 0; y < pattern.rows; ++y) {
    const auto* from = pattern.ptr<cv::Vec4b>(y);
    auto* to = texture.ptr<cv::Vec3b>(y);
    for (int x = 0; x < pattern.cols; ++x) {
      float rest = 255.0F;
      cv::Vec3f sum(0, 0, 0);
      for (int k = 0; k < 4; ++k) {
        const auto share = static_cast<float>(from[x][k]);
        sum += colours[static_cast<std::size_t>(k)] * share;
        rest -= share;
      }
      sum += dark * rest;
      for (int k = 0; k < 3; ++k)
        to[x][k] = static_cast<std::uint8_t>(std::clamp(sum[k] / 255.0F, 0.0F, 255.0F));
    }
  }
}

}  // namespace

Scene::Scene(SceneSettings settings)
    : settings_(std::move(settings)),
      painter_(kPictureSize),
      lighting_(settings_.seed, kPictureSize) {
  if (settings_.things.empty()) settings_.things = thing_names();
  for (const std::string& name : thing_names()) things_.push_back(make_thing(name));
  for (int i = 0; i < kRooms; ++i) rooms_.push_back(make_room(i, settings_.seed));
}

std::string Scene::draw(std::uint64_t number, cv::Mat& picture) {
  const double seconds = settings_.speed * static_cast<double>(number) / kFramesASecond;
  if (settings_.things.size() == 1) return draw(number, settings_.things.front(), picture);
  const double turn = settings_.hold + settings_.empty;
  const auto which = static_cast<std::uint64_t>(seconds / turn);
  const bool shown = seconds - static_cast<double>(which) * turn < settings_.hold;
  return draw(number, shown ? settings_.things[which % settings_.things.size()] : "", picture);
}

std::string Scene::draw(std::uint64_t number, const std::string& name, cv::Mat& picture) {
  const double seconds = settings_.speed * static_cast<double>(number) / kFramesASecond;
  picture.create(kPictureSize, CV_8UC3);
  draw_room(seconds, picture);
  const Light light = light_at(settings_.seed, seconds);
  const auto thing = std::find_if(things_.begin(), things_.end(),
                                  [&](const Thing& one) { return one.name == name; });
  if (thing != things_.end()) draw_thing(*thing, seconds, light, picture);
  lighting_.shine(light, number, picture);
  return thing != things_.end() ? name : "";
}

void Scene::draw_room(double seconds, cv::Mat& picture) {
  const std::uint64_t seed = settings_.seed;
  const cv::Size spare = kRoomSize - kPictureSize;
  const cv::Rect part(
      {static_cast<int>(wander(seed, kPan, seconds / 5.0) * static_cast<float>(spare.width)),
       static_cast<int>(wander(seed, kTilt, seconds / 7.0) * static_cast<float>(spare.height))},
      kPictureSize);
  const double when = seconds / kRoomLasts;
  const double whole = std::floor(when);
  // Every room once in each round, in an order that begins anew somewhere else.
  const auto room_at = [&](double n) -> const cv::Mat& {
    const auto step = static_cast<std::uint64_t>(n);
    static constexpr std::size_t kOrder[] = {0, 4, 2, 5, 1, 3};
    return rooms_[kOrder[(step + chance(seed, kRoom, 0)) % kRooms]];
  };
  room_at(whole)(part).copyTo(picture);
  const double rest = (when - whole) * kRoomLasts - (kRoomLasts - kRoomFades);
  if (rest > 0)
    cv::addWeighted(picture, 1 - rest / kRoomFades, room_at(whole + 1)(part), rest / kRoomFades, 0,
                    picture);
}

void Scene::colour(const Thing& thing, const std::vector<cv::Vec3f>& colours) {
  if (coloured_ == thing.name && colours_ == colours) return;
  textures_.resize(std::max(textures_.size(), thing.parts.size()));
  for (std::size_t i = 0; i < thing.parts.size(); ++i) {
    colour_pattern(thing.parts[i].pattern, colours, textures_[i]);
  }
  coloured_ = thing.name;
  colours_ = colours;
}

void Scene::draw_thing(const Thing& thing, double seconds, const Light& light, cv::Mat& picture) {
  const std::uint64_t seed = settings_.seed;
  const auto sway = static_cast<float>(std::sin(seconds * 2 * static_cast<double>(kPi) / 3.4));
  const float turned =
      thing.facing +
      thing.swing * (0.75F * sway + 0.5F * (wander(seed, kTurn, seconds / 1.9) - 0.5F));
  const float lean = (0.10F + thing.lean) * (2 * wander(seed, kLean, seconds / 1.7) - 1);
  const float distance = kDistance * mix(0.92F, 1.22F, wander(seed, kNear, seconds / 2.2));
  const float left = mix(-0.34F, 0.34F, wander(seed, kLeft, seconds / 2.6));
  const float below = (kStandsAt - 240.0F) / kFocal * kDistance;
  View view;
  view.turn =
      cv::Matx33f(1, 0, 0, 0, 1, 0, 0, 0, -1) * turn_x(kLookDown) * turn_z(lean) * turn_y(turned);
  view.shift = {left, -below, distance};
  view.focal = kFocal;
  view.centre = {0.5F * static_cast<float>(kPictureSize.width), 240.0F};
  view.light = light.towards;

  const float pixels = kFocal / distance;  // to the unit
  const cv::Point2f foot(view.centre[0] + left * pixels, view.centre[1] + below * pixels);
  draw_shadow(foot + cv::Point2f(-60 * light.towards[0] * thing.foot, 0),
              1.55F * thing.foot * pixels, 0.30F, picture);
  draw_shadow(foot, 1.15F * thing.foot * pixels, 0.38F, picture);

  const auto index = static_cast<std::uint64_t>(&thing - things_.data());
  colour(thing, colours_at(seed, index, seconds));
  painter_.begin();
  for (std::size_t i = 0; i < thing.parts.size(); ++i) {
    view.gloss = thing.parts[i].gloss;
    painter_.draw(thing.parts[i].mesh, textures_[i], view);
  }
  painter_.finish(picture);
}

}  // namespace jackdaw::live::demo
