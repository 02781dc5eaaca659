// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "strong_changes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace jackdaw::testing {
namespace {

using Colour = std::array<double, 3>;

struct Canvas {
  std::size_t width, height;
  std::vector<Colour> pixels;

  // Between the pixels' middles, the border going on outside.
  Colour at(double x, double y) const {
    const double right = static_cast<double>(width - 1), bottom = static_cast<double>(height - 1);
    x = std::clamp(x, 0.0, right);
    y = std::clamp(y, 0.0, bottom);
    const auto x0 = static_cast<std::size_t>(x), y0 = static_cast<std::size_t>(y);
    const std::size_t x1 = std::min(x0 + 1, width - 1), y1 = std::min(y0 + 1, height - 1);
    const double u = x - static_cast<double>(x0), v = y - static_cast<double>(y0);
    Colour out;
    for (std::size_t k = 0; k < 3; ++k) {
      const double above = (1 - u) * pixels[y0 * width + x0][k] + u * pixels[y0 * width + x1][k];
      const double below = (1 - u) * pixels[y1 * width + x0][k] + u * pixels[y1 * width + x1][k];
      out[k] = (1 - v) * above + v * below;
    }
    return out;
  }
};

// The standard's engines are the same everywhere, its distributions are not.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  Colour colour(double low, double high) {
    const double a = between(low, high), b = between(low, high), c = between(low, high);
    return {a, b, c};
  }

 private:
  std::mt19937_64 engine_;
};

// Soft patches of many colours around a common one, and grain on top.
void lay_noise(const std::vector<std::uint8_t>& where, Draw& draw, Canvas& canvas) {
  const Colour common = draw.colour(0, 255);
  const auto cells = static_cast<std::size_t>(draw.between(3, 12));
  Canvas patches{cells, cells, {}};
  for (std::size_t i = 0; i < cells * cells; ++i) patches.pixels.push_back(draw.colour(0, 255));
  const double step = static_cast<double>(cells) / static_cast<double>(canvas.width);
  for (std::size_t y = 0; y < canvas.height; ++y) {
    for (std::size_t x = 0; x < canvas.width; ++x) {
      const Colour grain = draw.colour(-40, 40);
      if (!where[y * canvas.width + x]) continue;
      const Colour patch = patches.at((static_cast<double>(x) + 0.5) * step - 0.5,
                                      (static_cast<double>(y) + 0.5) * step - 0.5);
      for (std::size_t k = 0; k < 3; ++k) {
        canvas.pixels[y * canvas.width + x][k] = 0.5 * common[k] + 0.5 * patch[k] + grain[k];
      }
    }
  }
}

}  // namespace

std::vector<std::uint8_t> white_around(const FrameView& frame) {
  constexpr std::uint8_t kWhite = 225;  // JPEG leaves the white a little grey
  const std::size_t w = frame.width, h = frame.height;
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(frame.data);
  std::vector<std::uint8_t> around(w * h, 0);
  std::vector<std::size_t> open;
  const auto visit = [&](std::size_t x, std::size_t y) {
    const std::size_t i = y * w + x;
    if (around[i] || *std::min_element(pixels + 3 * i, pixels + 3 * i + 3) <= kWhite) return;
    around[i] = 1;
    open.push_back(i);
  };
  for (std::size_t x = 0; x < w; ++x) visit(x, 0), visit(x, h - 1);
  for (std::size_t y = 0; y < h; ++y) visit(0, y), visit(w - 1, y);
  while (!open.empty()) {
    const std::size_t x = open.back() % w, y = open.back() / w;
    open.pop_back();
    if (x > 0) visit(x - 1, y);
    if (x + 1 < w) visit(x + 1, y);
    if (y > 0) visit(x, y - 1);
    if (y + 1 < h) visit(x, y + 1);
  }
  return around;
}

void change_strongly(const FrameView& frame, std::uint64_t seed, Picture& changed) {
  Draw draw(seed);
  const std::size_t w = frame.width, h = frame.height;
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(frame.data);
  Canvas canvas{w, h, {}};
  for (std::size_t i = 0; i < w * h; ++i) {
    canvas.pixels.push_back(
        {double(pixels[3 * i]), double(pixels[3 * i + 1]), double(pixels[3 * i + 2])});
  }
  lay_noise(white_around(frame), draw, canvas);
  for (Colour& colour : canvas.pixels) {
    for (double& value : colour) value = std::clamp(value, 0.0, 255.0);
  }
  const double side = draw.between(0.75, 1.0);
  const double left = draw.between(0, (1 - side) * static_cast<double>(w));
  const double top = draw.between(0, (1 - side) * static_cast<double>(h));
  const double light = draw.between(0.6, 1.3);
  const Colour cast = draw.colour(0.85, 1.15);
  changed.pixels.resize(3 * w * h);
  for (std::size_t y = 0; y < h; ++y) {
    for (std::size_t x = 0; x < w; ++x) {
      const Colour from = canvas.at(left + (static_cast<double>(x) + 0.5) * side - 0.5,
                                    top + (static_cast<double>(y) + 0.5) * side - 0.5);
      for (std::size_t k = 0; k < 3; ++k) {
        const double value = std::clamp(from[k] * light * cast[k], 0.0, 255.0);
        changed.pixels[3 * (y * w + x) + k] = static_cast<std::byte>(std::lround(value));
      }
    }
  }
  changed.view = {PixelFormat::kBgr, frame.width, frame.height, changed.pixels.data(), 3 * w};
}

}  // namespace jackdaw::testing
