// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/backdrop.hpp"

#include <algorithm>

namespace jackdaw::live {
namespace {

constexpr std::int32_t kOne = 256;  // of a share
constexpr std::uint32_t kMostCells = 18;

using Colour = std::array<std::int32_t, 3>;

std::int32_t between(Random& random, std::int32_t low, std::int32_t high) {  // both included
  return low + static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

Colour any_colour(Random& random) {
  const std::int32_t blue = between(random, 0, 255), green = between(random, 0, 255);
  return {blue, green, between(random, 0, 255)};
}

std::int32_t mixed(std::int32_t a, std::int32_t b, std::int32_t share_of_b) {
  return (a * (kOne - share_of_b) + b * share_of_b) / kOne;
}

// Where a pixel lies between the middles of two cells.
struct Place {
  std::uint32_t cell, next;
  std::int32_t share;  // of the next
};

Place place(std::uint32_t at, std::uint32_t length, std::uint32_t cells, bool sharp) {
  const std::uint32_t one = kOne;
  const std::uint32_t middle = (2 * at + 1) * cells * one / (2 * length);
  if (sharp || middle < one / 2) return {sharp ? middle / one : 0, 0, 0};
  const std::uint32_t from_first = middle - one / 2, cell = from_first / one;
  return {cell, std::min(cell + 1, cells - 1), static_cast<std::int32_t>(from_first % one)};
}

void draw_patches(Random& random, SmallFrame& canvas) {
  const auto cells = static_cast<std::uint32_t>(between(random, 2, kMostCells));
  const bool sharp = between(random, 0, 3) == 0;
  const Colour common = any_colour(random);
  const std::int32_t own = between(random, kOne / 4, kOne);  // share of the patch's own colour
  std::array<Colour, kMostCells * kMostCells> patches;
  for (std::uint32_t i = 0; i < cells * cells; ++i) {
    const Colour colour = any_colour(random);
    for (std::size_t k = 0; k < 3; ++k) patches[i][k] = mixed(common[k], colour[k], own);
  }
  std::uint8_t* out = canvas.pixels.data();
  std::array<Colour, kMostCells> line;  // of cells, between two rows of them
  for (std::uint32_t y = 0; y < canvas.height; ++y) {
    const Place row = place(y, canvas.height, cells, sharp);
    for (std::uint32_t i = 0; i < cells; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        line[i][k] =
            mixed(patches[row.cell * cells + i][k], patches[row.next * cells + i][k], row.share);
      }
    }
    for (std::uint32_t x = 0; x < canvas.width; ++x) {
      const Place column = place(x, canvas.width, cells, sharp);
      for (std::size_t k = 0; k < 3; ++k) {
        *out++ = static_cast<std::uint8_t>(
            mixed(line[column.cell][k], line[column.next][k], column.share));
      }
    }
  }
}

void draw_stripes(Random& random, SmallFrame& canvas) {
  const Colour one = any_colour(random), other = any_colour(random);
  // Waves across the frame, in 1/256; the sum of both steps is the phase.
  const std::int32_t waves_x = between(random, -10 * kOne, 10 * kOne);
  const std::int32_t waves_y = between(random, -10 * kOne, 10 * kOne);
  const std::int32_t phase = between(random, 0, kOne - 1);
  const auto width = static_cast<std::int32_t>(canvas.width);
  const auto height = static_cast<std::int32_t>(canvas.height);
  std::uint8_t* out = canvas.pixels.data();
  for (std::int32_t y = 0; y < height; ++y) {
    for (std::int32_t x = 0; x < width; ++x) {
      const std::int32_t wave = (phase + x * waves_x / width + y * waves_y / height) & (kOne - 1);
      const std::int32_t share = 2 * std::min(wave, kOne - wave);  // up and down again
      for (std::size_t k = 0; k < 3; ++k) {
        *out++ = static_cast<std::uint8_t>(mixed(one[k], other[k], share));
      }
    }
  }
}

void add_grain(Random& random, SmallFrame& canvas) {
  const std::int32_t most = between(random, 0, 45);
  const std::size_t bytes = std::size_t{3} * canvas.width * canvas.height;
  for (std::size_t i = 0; i < bytes; i += 3) {
    const std::uint64_t bits = random.bits();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto drawn = static_cast<std::int32_t>((bits >> (8 * k)) & 255) - 128;
      const std::int32_t value = canvas.pixels[i + k] + drawn * most / 128;
      canvas.pixels[i + k] = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
    }
  }
}

}  // namespace

void draw_backdrop(Random& random, SmallFrame& canvas) noexcept {
  if (between(random, 0, 3) == 0) {
    draw_stripes(random, canvas);
  } else {
    draw_patches(random, canvas);
  }
  add_grain(random, canvas);
}

}  // namespace jackdaw::live
