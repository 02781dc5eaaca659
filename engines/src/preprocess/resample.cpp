// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "preprocess/resample.hpp"

#include <algorithm>
#include <cmath>

namespace jackdaw {
namespace {

constexpr unsigned kTaps = 4;

// The weights of the pixels at -1, 0, 1 and 2 for a point at x, 0 <= x < 1.
void cubic_weights(double x, double (&weights)[kTaps]) {
  constexpr double a = -0.75;
  const auto near = [](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  weights[0] = far(x + 1);
  weights[1] = near(x);
  weights[2] = near(1 - x);
  weights[3] = 1 - weights[0] - weights[1] - weights[2];
}

}  // namespace

std::size_t Resampling::most_weights(std::uint32_t from, std::uint32_t to) noexcept {
  // Each border between two positions splits at most one pixel.
  return std::max(std::size_t{kTaps} * to, std::size_t{from} + to);
}

void Resampling::reset(std::uint32_t from, std::uint32_t to) {
  if (from == from_ && to == this->to()) return;
  from_ = 0;
  first_.clear();
  offsets_.clear();
  weights_.clear();
  first_.reserve(to);
  offsets_.reserve(std::size_t{to} + 1);
  weights_.reserve(most_weights(from, to));

  from_ = from;
  offsets_.push_back(0);
  for (std::uint32_t position = 0; position < to; ++position) {
    if (from == to) {
      first_.push_back(position);
      weights_.push_back(1.0F);
    } else if (from > to) {
      add_area(position, to);
    } else {
      add_cubic(position, to);
    }
    offsets_.push_back(static_cast<std::uint32_t>(weights_.size()));
  }
}

// In whole numbers, so that nothing is rounded before the division: a pixel is `to` wide, a
// position `from`.
void Resampling::add_area(std::uint64_t position, std::uint64_t to) {
  const std::uint64_t begin = position * from_;
  const std::uint64_t end = begin + from_;
  first_.push_back(static_cast<std::uint32_t>(begin / to));
  for (std::uint64_t pixel = begin / to; pixel * to < end; ++pixel) {
    const std::uint64_t covered = std::min(end, (pixel + 1) * to) - std::max(begin, pixel * to);
    weights_.push_back(static_cast<float>(static_cast<double>(covered) / from_));
  }
}

void Resampling::add_cubic(std::uint32_t position, std::uint32_t to) {
  const double at = (position + 0.5) * (static_cast<double>(from_) / to) - 0.5;
  const double whole = std::floor(at);
  double weights[kTaps];
  cubic_weights(at - whole, weights);

  const auto pixel_of = [&](unsigned tap) {
    const auto pixel = static_cast<std::int64_t>(whole) - 1 + tap;
    return std::clamp<std::int64_t>(pixel, 0, std::int64_t{from_} - 1);
  };
  first_.push_back(static_cast<std::uint32_t>(pixel_of(0)));
  for (unsigned tap = 0; tap < kTaps;) {
    const std::int64_t pixel = pixel_of(tap);
    double weight = 0;
    for (; tap < kTaps && pixel_of(tap) == pixel; ++tap) weight += weights[tap];
    weights_.push_back(static_cast<float>(weight));
  }
}

}  // namespace jackdaw
