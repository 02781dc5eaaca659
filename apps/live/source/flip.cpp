// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/flip.hpp"

#include <utility>

#include "jackdaw/error.hpp"

namespace jackdaw::live {

Flip parse_flip(const std::string& name) {
  static const std::pair<const char*, Flip> kNames[] = {
      {"none", Flip::kNone},
      {"rotate-90", Flip::kRotate90},
      {"clockwise", Flip::kRotate90},
      {"rotate-180", Flip::kRotate180},
      {"rotate-270", Flip::kRotate270},
      {"counterclockwise", Flip::kRotate270},
      {"horizontal", Flip::kHorizontal},
      {"vertical", Flip::kVertical},
      {"upper-left-diagonal", Flip::kUpperLeftDiagonal},
      {"upper-right-diagonal", Flip::kUpperRightDiagonal}};
  for (const auto& [known, flip] : kNames) {
    if (name == known) return flip;
  }
  std::string all;
  for (const auto& [known, flip] : kNames) all += (all.empty() ? "" : ", ") + std::string(known);
  throw SettingsError("'" + name + "' is no way to flip a picture; there are: " + all);
}

int nvvidconv_method(Flip flip) noexcept {
  switch (flip) {
    case Flip::kNone:
      return 0;
    case Flip::kRotate270:
      return 1;
    case Flip::kRotate180:
      return 2;
    case Flip::kRotate90:
      return 3;
    case Flip::kHorizontal:
      return 4;
    case Flip::kUpperRightDiagonal:
      return 5;
    case Flip::kVertical:
      return 6;
    case Flip::kUpperLeftDiagonal:
      return 7;
  }
  return 0;
}

void turn(cv::Mat& picture, Flip flip, cv::Mat& scratch) {
  switch (flip) {
    case Flip::kNone:
      return;
    case Flip::kRotate90:
      cv::rotate(picture, scratch, cv::ROTATE_90_CLOCKWISE);
      break;
    case Flip::kRotate180:
      cv::rotate(picture, scratch, cv::ROTATE_180);
      break;
    case Flip::kRotate270:
      cv::rotate(picture, scratch, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    case Flip::kHorizontal:
      cv::flip(picture, scratch, 1);
      break;
    case Flip::kVertical:
      cv::flip(picture, scratch, 0);
      break;
    case Flip::kUpperLeftDiagonal:
      cv::transpose(picture, scratch);
      break;
    case Flip::kUpperRightDiagonal:
      cv::transpose(picture, scratch);
      cv::flip(scratch, scratch, -1);
      break;
  }
  cv::swap(picture, scratch);
}

}  // namespace jackdaw::live
