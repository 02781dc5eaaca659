// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Resizes, normalises and lays out a batch of frames in one pass: preprocess.cpp, bit for bit.
//
// target  by value: what the input of the graph is; the same for every frame
// frames  [batch] DeviceFrame, device: pixels, strides, format and weight tables, so one captured
//         graph serves frames of any size
// input   [batch][channels][height][width] float, device: written
// grid    (preprocess_blocks(target), batch), kPreprocessThreads threads; no workspace
//
//  1. A thread is one output pixel with all its channels, so a source pixel is converted once for
//     each use.
//  2. For each source row from the first down: the sum over columns, from the left, of weight times
//     channel; the sum over rows of weight times that.
//  3. value*scale + offset, stored into each channel's plane.

#include "cuda/device_code.hpp"
#include "cuda/sequences.hpp"
#include "preprocess/colour.hpp"
#include "preprocess/device_frame.hpp"
#include "preprocess/target.hpp"

namespace jackdaw::cuda {

constexpr unsigned kPreprocessThreads = 128;

inline unsigned preprocess_blocks(const Target& target) {
  return (target.width * target.height + kPreprocessThreads - 1) / kPreprocessThreads;
}

template <unsigned kLanes>
struct Lanes {
  float value[kLanes] = {};
};

__device__ inline float load_byte(const std::uint8_t* at) { return static_cast<float>(load(at)); }

__device__ inline const std::uint8_t* row_at(const DeviceFrame& frame, unsigned row) {
  return frame.data + row * (mutant("preprocess.stride") ? frame.stride - 1 : frame.stride);
}

// --- how each format's pixels are read; one reader a source row ---------------------------------

class GreyReader {
 public:
  static constexpr unsigned kLanes = 1;
  __device__ GreyReader(const DeviceFrame& frame, unsigned row) : bytes_(row_at(frame, row)) {}
  __device__ Lanes<1> at(unsigned column) const { return {{load_byte(bytes_ + column)}}; }

 private:
  const std::uint8_t* bytes_;
};

// In the order of the bytes.
class ColourReader {
 public:
  static constexpr unsigned kLanes = 3;
  __device__ ColourReader(const DeviceFrame& frame, unsigned row) : bytes_(row_at(frame, row)) {}
  __device__ Lanes<3> at(unsigned column) const {
    const std::uint8_t* pixel = bytes_ + 3 * column;
    return {{load_byte(pixel), load_byte(pixel + 1), load_byte(pixel + 2)}};
  }

 private:
  const std::uint8_t* bytes_;
};

// Red, green, blue.
class Nv12Reader {
 public:
  static constexpr unsigned kLanes = 3;
  __device__ Nv12Reader(const DeviceFrame& frame, unsigned row)
      : bytes_(row_at(frame, row)),
        colours_(frame.colour + (mutant("preprocess.chroma_row") ? (row + 1) / 2 : row / 2) *
                                    frame.colour_stride) {}
  __device__ Lanes<3> at(unsigned column) const {
    const float light = brightness(load_byte(bytes_ + column));
    const unsigned pair = mutant("preprocess.chroma_column") ? column : column / 2 * 2;
    const float u = load_byte(colours_ + pair + (mutant("preprocess.chroma_order") ? 1 : 0));
    const float v = load_byte(colours_ + pair + (mutant("preprocess.chroma_order") ? 0 : 1));
    const Lanes<3> raw = {{light + red_of(v), light + green_of(u, v), light + blue_of(u)}};
    if (mutant("preprocess.clamp")) return raw;
    return {{in_range(raw.value[0]), in_range(raw.value[1]), in_range(raw.value[2])}};
  }

 private:
  const std::uint8_t* bytes_;
  const std::uint8_t* colours_;
};

template <class Reader, unsigned kRed>
class GreyOf {
 public:
  static constexpr unsigned kLanes = 1;
  __device__ GreyOf(const DeviceFrame& frame, unsigned row) : reader_(frame, row) {}
  __device__ Lanes<1> at(unsigned column) const {
    const Lanes<3> c = reader_.at(column);
    const unsigned red = mutant("preprocess.grey") ? 2 - kRed : kRed;
    return {{grey_of(c.value[red], c.value[1], c.value[2 - red])}};
  }

 private:
  Reader reader_;
};

// --- one output pixel ----------------------------------------------------------------------------

template <class Reader>
__device__ Lanes<Reader::kLanes> resampled(const DeviceFrame& frame, unsigned x, unsigned y) {
  constexpr unsigned kLanes = Reader::kLanes;
  const AxisTables& columns = frame.columns;
  const AxisTables& rows = frame.rows;
  const unsigned column = load(columns.first + x);
  const unsigned column_begin = load(columns.offsets + x);
  const unsigned column_end = load(columns.offsets + x + 1);
  const unsigned row = load(rows.first + y);
  const unsigned row_begin = load(rows.offsets + y);
  const unsigned row_end = load(rows.offsets + y + 1) - (mutant("preprocess.last_row") ? 1 : 0);
  const unsigned row_weights = mutant("preprocess.row_weight") ? 0 : row_begin;
  const unsigned column_weights = mutant("preprocess.column_weight") ? 0 : column_begin;
  const unsigned row_count = row_end - row_begin;
  const unsigned column_count = column_end - column_begin;

  Lanes<kLanes> total;
  for (unsigned i = 0; i < row_count; ++i) {
    const unsigned r = mutant("preprocess.row_order") ? row_count - 1 - i : i;
    const Reader reader(frame, row + r);
    Lanes<kLanes> sum;
    for (unsigned t = 0; t < column_count; ++t) {
      const float weight = load(columns.weights + column_weights + t);
      const Lanes<kLanes> pixel = reader.at(column + t);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        sum.value[lane] = mutant("preprocess.fused")
                              ? fmaf(weight, pixel.value[lane], sum.value[lane])
                              : sum.value[lane] + weight * pixel.value[lane];
      }
    }
    const float weight = load(rows.weights + row_weights + r);
    for (unsigned lane = 0; lane < kLanes; ++lane) total.value[lane] += weight * sum.value[lane];
  }
  return total;
}

// at: the pixel in the first plane. swapped: the frame has the other order of colours. Every index
// is a constant once the loop is unrolled, so nothing is kept in local memory.
template <unsigned kLanes>
__device__ void store_pixel(const Target& target, const Lanes<kLanes>& total, bool swapped,
                            float* at) {
  const std::size_t plane =
      std::size_t{target.width} * target.height + (mutant("preprocess.plane") ? 1 : 0);
  for (unsigned c = 0; c < 3; ++c) {
    if (c >= target.channels) return;
    const float same = total.value[kLanes == 1 ? 0 : c];
    const float other = total.value[kLanes == 1 ? 0 : 2 - c];
    const float value = swapped && !mutant("preprocess.colour_order") ? other : same;
    const unsigned which = mutant("preprocess.channel") ? 0 : c;
    const float scale = target.scale[which];
    const float offset = target.offset[which];
    store(at + c * plane,
          mutant("preprocess.normalise") ? (value + offset) * scale : value * scale + offset);
  }
}

template <class Colours, unsigned kRed>
__device__ void write_colours(const Target& target, const DeviceFrame& frame, unsigned x,
                              unsigned y, float* at) {
  if (target.colour == ColourOrder::kGrey) {
    store_pixel(target, resampled<GreyOf<Colours, kRed>>(frame, x, y), false, at);
  } else {
    const bool swapped = (kRed == 0) != (target.colour == ColourOrder::kRgb);
    store_pixel(target, resampled<Colours>(frame, x, y), swapped, at);
  }
}

static __global__ void __launch_bounds__(kPreprocessThreads)
    preprocess_kernel(Target target, const DeviceFrame* frames, float* input) {
  const unsigned pixels = target.width * target.height;
  const unsigned pixel = blockIdx.x * kPreprocessThreads + threadIdx.x;
  const unsigned b = blockIdx.y;
  if (pixel >= pixels - (mutant("preprocess.tail") ? 1 : 0)) return;
  const DeviceFrame frame = load(frames + (mutant("preprocess.batch") ? 0 : b));
  const bool transposed = mutant("preprocess.transposed");
  const unsigned x = transposed ? pixel / target.height : pixel % target.width;
  const unsigned y = transposed ? pixel % target.height : pixel / target.width;
  float* at = input + std::size_t{b} * target.channels * pixels + pixel;

  switch (frame.format) {
    case PixelFormat::kBgr:
      write_colours<ColourReader, 2>(target, frame, x, y, at);
      break;
    case PixelFormat::kRgb:
      write_colours<ColourReader, 0>(target, frame, x, y, at);
      break;
    case PixelFormat::kGrey:
      store_pixel(target, resampled<GreyReader>(frame, x, y), false, at);
      break;
    case PixelFormat::kNv12:
      write_colours<Nv12Reader, 0>(target, frame, x, y, at);
      break;
  }
}

template <class Launcher>
void launch_preprocess(Launcher& launcher, const Target& target, const DeviceFrame* frames,
                       unsigned batch, float* input) {
  launcher.launch(preprocess_kernel, Grid{preprocess_blocks(target), batch}, kPreprocessThreads,
                  target, frames, input);
}

}  // namespace jackdaw::cuda
