// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a frame to what a graph's input wants: resized, normalised, one plane a channel.
//
//   Preprocess preprocess(manifest);            // throws ManifestError
//   status = preprocess.run(frame, input);      // input: channels*height*width floats
//
// This is the specification; preprocess.cuh does the same in the same order, so both give the same
// bits. All in float, every operation rounded by itself (nothing fused), every sum from 0 on:
//
//  1. A pixel's channels are its bytes; NV12 becomes red, green and blue, each clamped to 0..255,
//     every two by two pixels with one colour (colour.hpp). A grey input takes the grey of the
//     colour, a colour input takes grey three times.
//  2. The whole frame is stretched to the input's size, each axis by itself (resample.hpp): by area
//     where it shrinks, by cubic interpolation where it grows, not at all where it fits. The value
//     is the sum over rows of (weight of the row times the sum over columns of weight times pixel),
//     rows from the first down, columns from the left. A cubic may reach below 0 and above 255; it
//     is not clamped.
//  3. value*scale + offset, where scale = 1/(255*deviation) and offset = -mean/deviation are
//     computed in double and rounded once.

#include <vector>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/span.hpp"
#include "preprocess/resample.hpp"
#include "preprocess/target.hpp"

namespace jackdaw {

class Preprocess {
 public:
  explicit Preprocess(const Manifest& manifest);

  // Allocates only when a frame is wider or higher than all before it. kBadFrame: check(frame) says
  // so, or the frame is in device memory; kWrongSize: the input is; kEncoderFailed: no memory for a
  // frame of that size. What is not kOk leaves the input as it was.
  Status run(const FrameView& frame, Span<float> input) noexcept;

 private:
  Target target_;
  Resampling columns_, rows_;  // for the size of the last frame
  std::vector<float> row_;     // one row of the frame, channels interleaved
  std::vector<float>
      resampled_;  // the same with its columns resampled, one channel after the other
};

}  // namespace jackdaw
