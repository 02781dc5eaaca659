// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How one axis of a picture is brought to another size: which source positions each output position
// is made of, and with which weights.
//
//   Resampling columns;
//   columns.reset(1920, 128);
//   for (t = columns.offsets()[x]; t < columns.offsets()[x + 1]; ++t)
//     value += columns.weights()[t] * source[columns.first()[x] + t - columns.offsets()[x]];
//
// Where it shrinks, a position is the mean of what it covers, partly covered pixels by their share.
// Where it grows, the cubic of Keys through four pixels (a = -0.75, as OpenCV's); beyond the border
// the outermost pixel goes on, its weights added to the outermost tap. The weights of a position
// sum to 1, those of a cubic are partly negative. first() never decreases, nor does the last.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "jackdaw/span.hpp"

namespace jackdaw {

class Resampling {
 public:
  // Does nothing if the sizes are those of last time. Allocates only when `from` or `to` is larger
  // than ever before; std::bad_alloc leaves it empty. Neither size may be 0.
  void reset(std::uint32_t from, std::uint32_t to);

  std::uint32_t from() const noexcept { return from_; }
  std::uint32_t to() const noexcept { return static_cast<std::uint32_t>(first_.size()); }
  Span<const std::uint32_t> first() const noexcept { return first_; }      // [to]
  Span<const std::uint32_t> offsets() const noexcept { return offsets_; }  // [to + 1]
  Span<const float> weights() const noexcept { return weights_; }          // [offsets()[to]]

  // No pair of sizes up to these has more weights.
  static std::size_t most_weights(std::uint32_t from, std::uint32_t to) noexcept;

 private:
  void add_area(std::uint64_t position, std::uint64_t to);
  void add_cubic(std::uint32_t position, std::uint32_t to);

  std::uint32_t from_ = 0;
  std::vector<std::uint32_t> first_, offsets_;
  std::vector<float> weights_;
};

}  // namespace jackdaw
