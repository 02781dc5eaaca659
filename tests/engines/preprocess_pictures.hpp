// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures of every format for the tests of preprocessing, in memory of exactly their size, and
// what they should become, computed a second time from the definitions alone, in double.
//
//   const Picture picture(PixelFormat::kNv12, 5, 3, 7, rng);      // 7 unused bytes behind each row
//   preprocess.run(picture.view(), input);
//   expected(picture, manifest);                                   // the same as doubles

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"

namespace jackdaw::testing {

inline constexpr PixelFormat kFormats[] = {PixelFormat::kBgr, PixelFormat::kRgb, PixelFormat::kGrey,
                                           PixelFormat::kNv12};
inline constexpr ColourOrder kOrders[] = {ColourOrder::kRgb, ColourOrder::kBgr, ColourOrder::kGrey};

inline std::string name_of(PixelFormat format) {
  const char* const names[] = {"bgr", "rgb", "grey", "nv12"};
  return names[static_cast<unsigned>(format)];
}

// Bytes in memory of their own, so that a sanitizer sees every step beyond them.
class Picture {
 public:
  Picture(PixelFormat format, std::uint32_t width, std::uint32_t height, std::size_t gap,
          std::mt19937_64& rng)
      : format_(format), width_(width), height_(height) {
    stride_ = width * (format == PixelFormat::kBgr || format == PixelFormat::kRgb ? 3 : 1) + gap;
    data_ = random_bytes(stride_ * height - gap, rng);
    if (format != PixelFormat::kNv12) return;
    colour_stride_ = (width + 1) / 2 * 2 + gap + 2;
    colour_ = random_bytes(colour_stride_ * ((height + 1) / 2) - gap - 2, rng);
  }

  FrameView view() const {
    FrameView frame{format_, width_, height_, data_.data(), stride_, nullptr, 0};
    if (format_ == PixelFormat::kNv12) {
      frame.colour = colour_.data();
      frame.colour_stride = colour_stride_;
    }
    return frame;
  }

  void fill(unsigned value) {
    std::fill(data_.begin(), data_.end(), std::byte(value));
    std::fill(colour_.begin(), colour_.end(), std::byte(128));
  }

  // The same seen in a mirror; formats of whole pixels only.
  Picture mirrored(bool left_right) const {
    Picture other = *this;
    const std::size_t bytes = format_ == PixelFormat::kGrey ? 1 : 3;
    for (std::size_t y = 0; y < height_; ++y) {
      for (std::size_t x = 0; x < width_; ++x) {
        const std::size_t from_x = left_right ? width_ - 1 - x : x;
        const std::size_t from_y = left_right ? y : height_ - 1 - y;
        std::memcpy(&other.data_[y * stride_ + x * bytes],
                    &data_[from_y * stride_ + from_x * bytes], bytes);
      }
    }
    return other;
  }

  // Red, green and blue.
  std::array<double, 3> pixel(std::size_t x, std::size_t y) const {
    const auto at = [](const std::vector<std::byte>& bytes, std::size_t i) {
      return static_cast<double>(bytes.at(i));
    };
    const std::size_t row = y * stride_;
    switch (format_) {
      case PixelFormat::kBgr:
        return {at(data_, row + 3 * x + 2), at(data_, row + 3 * x + 1), at(data_, row + 3 * x)};
      case PixelFormat::kRgb:
        return {at(data_, row + 3 * x), at(data_, row + 3 * x + 1), at(data_, row + 3 * x + 2)};
      case PixelFormat::kGrey:
        return {at(data_, row + x), at(data_, row + x), at(data_, row + x)};
      case PixelFormat::kNv12:
        break;
    }
    // BT.601's own numbers: Kr = 0.299, Kb = 0.114; 219 steps of brightness, 224 of colour.
    const double luma = (at(data_, row + x) - 16) / 219;
    const double pb = (at(colour_, y / 2 * colour_stride_ + x / 2 * 2) - 128) / 224;
    const double pr = (at(colour_, y / 2 * colour_stride_ + x / 2 * 2 + 1) - 128) / 224;
    const double red = luma + 2 * (1 - 0.299) * pr;
    const double blue = luma + 2 * (1 - 0.114) * pb;
    const double green = (luma - 0.299 * red - 0.114 * blue) / 0.587;
    const auto byte = [](double v) { return std::clamp(v * 255, 0.0, 255.0); };
    return {byte(red), byte(green), byte(blue)};
  }

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }

 private:
  static std::vector<std::byte> random_bytes(std::size_t count, std::mt19937_64& rng) {
    std::vector<std::byte> bytes(count);
    for (std::byte& b : bytes) b = std::byte(rng() & 0xFF);
    return bytes;
  }

  PixelFormat format_;
  std::uint32_t width_, height_;
  std::size_t stride_ = 0, colour_stride_ = 0;
  std::vector<std::byte> data_, colour_;
};

inline Manifest manifest_for(ColourOrder colour, std::uint32_t width, std::uint32_t height) {
  Manifest m;
  m.name = "test";
  m.width = width;
  m.height = height;
  m.colour = colour;
  m.channels = colour == ColourOrder::kGrey ? 1 : 3;
  m.mean = {0.485F, 0.456F, 0.406F};
  m.deviation = {0.229F, 0.224F, 0.225F};
  m.mean.resize(m.channels);
  m.deviation.resize(m.channels);
  return m;
}

// How much pixel i counts for position p.
inline std::vector<double> expected_weights(std::uint32_t from, std::uint32_t to, std::uint32_t p) {
  std::vector<double> weights(from);
  const double step = static_cast<double>(from) / to;
  if (from >= to) {
    for (std::uint32_t i = 0; i < from; ++i) {
      const double covered = std::min((p + 1) * step, i + 1.0) - std::max(p * step, i + 0.0);
      weights[i] = std::max(0.0, covered) / step;
    }
    return weights;
  }
  const double at = (p + 0.5) * step - 0.5;
  for (int i = static_cast<int>(std::floor(at)) - 1; i <= static_cast<int>(std::floor(at)) + 2;
       ++i) {
    const double d = std::abs(at - i);
    const double w =
        d <= 1 ? 1.25 * d * d * d - 2.25 * d * d + 1 : -0.75 * d * d * d + 3.75 * d * d - 6 * d + 3;
    weights[static_cast<std::size_t>(std::clamp(i, 0, static_cast<int>(from) - 1))] += w;
  }
  return weights;
}

inline std::vector<double> expected(const Picture& picture, const Manifest& m) {
  std::vector<double> result(std::size_t{m.channels} * m.height * m.width);
  for (std::uint32_t y = 0; y < m.height; ++y) {
    const std::vector<double> rows = expected_weights(picture.height(), m.height, y);
    for (std::uint32_t x = 0; x < m.width; ++x) {
      const std::vector<double> columns = expected_weights(picture.width(), m.width, x);
      std::array<double, 3> sum{};
      for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; rows[r] != 0 && c < columns.size(); ++c) {
          if (columns[c] == 0) continue;
          const std::array<double, 3> rgb = picture.pixel(c, r);
          for (std::size_t i = 0; i < 3; ++i) sum[i] += rows[r] * columns[c] * rgb[i];
        }
      }
      if (m.colour == ColourOrder::kGrey) sum[0] = 0.299 * sum[0] + 0.587 * sum[1] + 0.114 * sum[2];
      if (m.colour == ColourOrder::kBgr) std::swap(sum[0], sum[2]);
      for (std::size_t c = 0; c < m.channels; ++c) {
        result[(c * m.height + y) * m.width + x] = (sum[c] / 255 - m.mean[c]) / m.deviation[c];
      }
    }
  }
  return result;
}

}  // namespace jackdaw::testing
