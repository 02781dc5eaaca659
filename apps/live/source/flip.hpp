// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a picture is turned before anybody sees it, for cameras that hang upside down.
//
//   const Flip flip = parse_flip("rotate-180");         // throws SettingsError with the names
//   turn(picture, flip, scratch);

#include <opencv2/core.hpp>
#include <string>

namespace jackdaw::live {

enum class Flip {
  kNone,
  kRotate90,  // clockwise
  kRotate180,
  kRotate270,
  kHorizontal,  // as a mirror on the wall
  kVertical,
  kUpperLeftDiagonal,  // rows become columns
  kUpperRightDiagonal,
};

// Also "clockwise" and "counterclockwise", as Jetson's tools call two of them.
Flip parse_flip(const std::string& name);

// The number that nvvidconv has for it (flip-method).
int nvvidconv_method(Flip flip) noexcept;

// In place; scratch keeps its memory from call to call.
void turn(cv::Mat& picture, Flip flip, cv::Mat& scratch);

}  // namespace jackdaw::live
