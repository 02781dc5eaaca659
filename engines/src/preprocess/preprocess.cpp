// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "preprocess/preprocess.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include "jackdaw/log.hpp"
#include "preprocess/source_row.hpp"

namespace jackdaw {
namespace {

// Four at a time: of three lanes the fourth is the next pixel's first (or the one float behind the
// row) and is dropped. A loop over three would not become vector code.
void resample_three(const Resampling& columns, const float* __restrict row,
                    float* __restrict resampled) {
  const std::uint32_t* first = columns.first().data();
  const std::uint32_t* offsets = columns.offsets().data();
  const float* weights = columns.weights().data();
  const std::size_t width = columns.to();
  for (std::size_t x = 0; x < width; ++x) {
    const float* pixel = row + 3 * std::size_t{first[x]};
    float sum[4] = {};
    for (std::uint32_t t = offsets[x]; t < offsets[x + 1]; ++t, pixel += 3) {
      for (unsigned lane = 0; lane < 4; ++lane) sum[lane] += weights[t] * pixel[lane];
    }
    for (std::size_t lane = 0; lane < 3; ++lane) resampled[lane * width + x] = sum[lane];
  }
}

void resample_one(const Resampling& columns, const float* __restrict row,
                  float* __restrict resampled) {
  const std::uint32_t* first = columns.first().data();
  const std::uint32_t* offsets = columns.offsets().data();
  const float* weights = columns.weights().data();
  for (std::size_t x = 0; x < columns.to(); ++x) {
    const float* pixel = row + first[x];
    float sum = 0.0F;
    for (std::uint32_t t = offsets[x]; t < offsets[x + 1]; ++t) sum += weights[t] * *pixel++;
    resampled[x] = sum;
  }
}

void add_weighted(const float* __restrict from, float weight, std::size_t count,
                  float* __restrict to) {
  for (std::size_t i = 0; i < count; ++i) to[i] += weight * from[i];
}

void normalise(const float* from, float scale, float offset, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = from[i] * scale + offset;
}

void log_no_memory() noexcept {
  try {
    log(LogLevel::kError, "there is no memory left to resize a frame");
  } catch (const std::bad_alloc&) {  // not for the message either
  }
}

}  // namespace

Target target_of(const Manifest& manifest) {
  const auto refuse = [&](const char* what) {
    throw ManifestError("the manifest of " + manifest.name + ": " + what);
  };
  Target target;
  target.width = manifest.width;
  target.height = manifest.height;
  target.channels = manifest.channels;
  target.colour = manifest.colour;
  if (target.width == 0 || target.height == 0 || target.width > kMostPixelsASide ||
      target.height > kMostPixelsASide) {
    refuse("the input's width or height is 0 or too large");
  }
  if (target.channels != (target.colour == ColourOrder::kGrey ? 1U : 3U))
    refuse("the number of channels is not that of the colour order");
  if (manifest.mean.size() != target.channels || manifest.deviation.size() != target.channels)
    refuse("it needs one mean and one deviation a channel");
  for (std::size_t c = 0; c < target.channels; ++c) {
    const double deviation = manifest.deviation[c];
    if (!(deviation > 0) || !std::isfinite(deviation) || !std::isfinite(manifest.mean[c]))
      refuse("a deviation is not positive, or a mean not finite");
    target.scale[c] = static_cast<float>(1 / (255 * deviation));
    target.offset[c] = static_cast<float>(-static_cast<double>(manifest.mean[c]) / deviation);
  }
  return target;
}

Preprocess::Preprocess(const Manifest& manifest)
    : target_(target_of(manifest)), resampled_(std::size_t{3} * target_.width) {}

Status Preprocess::run(const FrameView& frame, Span<float> input) noexcept {
  if (const Status status = check(frame); status != Status::kOk) return status;
  if (frame.memory != FrameMemory::kHost) return Status::kBadFrame;
  if (input.size() != target_.size()) return Status::kWrongSize;

  const SourceRow source(frame, target_.colour);
  const unsigned lanes = source.lanes();
  try {
    columns_.reset(frame.width, target_.width);
    rows_.reset(frame.height, target_.height);
    const std::size_t floats = std::size_t{3} * frame.width + 1;
    if (row_.size() < floats) row_.resize(floats);
  } catch (const std::bad_alloc&) {
    log_no_memory();
    return Status::kEncoderFailed;
  }

  const std::size_t width = target_.width;
  const std::size_t plane = target_.plane();
  const bool red_first = frame.format != PixelFormat::kBgr;
  const bool swapped = lanes == 3 && red_first != (target_.colour == ColourOrder::kRgb);
  std::fill(input.begin(), input.begin() + plane * lanes, 0.0F);

  // The output rows that a source row belongs to lie side by side and only move down.
  std::uint32_t top = 0;
  for (std::uint32_t y = 0; y < frame.height; ++y) {
    source.read(y, row_.data());
    if (lanes == 3) {
      resample_three(columns_, row_.data(), resampled_.data());
    } else {
      resample_one(columns_, row_.data(), resampled_.data());
    }
    const auto end_of = [&](std::uint32_t to) {
      return rows_.first()[to] + rows_.offsets()[to + 1] - rows_.offsets()[to];
    };
    while (top < target_.height && end_of(top) <= y) ++top;
    for (std::uint32_t to = top; to < target_.height && rows_.first()[to] <= y; ++to) {
      const float weight = rows_.weights()[rows_.offsets()[to] + (y - rows_.first()[to])];
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t channel = swapped ? 2 - lane : lane;
        add_weighted(resampled_.data() + lane * width, weight, width,
                     input.data() + channel * plane + to * width);
      }
    }
  }

  // Backwards: grey lies in the first plane and is what the others are made of.
  for (std::size_t c = target_.channels; c-- > 0;) {
    const float* from = input.data() + (lanes == 1 ? 0 : c) * plane;
    normalise(from, target_.scale[c], target_.offset[c], plane, input.data() + c * plane);
  }
  return Status::kOk;
}

}  // namespace jackdaw
