// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ensemble's memory, as every backend sees it. Pointers are into one slab, in host memory (CPU)
// or device memory (CUDA); the layout is the same. Only this header knows the strides.
//
// d is padded to 32 elements (StoreShape::stride); padding is zero and stays zero.

#include <cstddef>
#include <cstdint>

#include "jackdaw/settings.hpp"

namespace jackdaw {

constexpr std::uint32_t kMostDimensions = 8192;  // what fits on a stack with room to spare

// Lessons that the CPU adds to the scatter matrix together: one pass over it instead of sixteen.
constexpr std::uint32_t kWaitingLessons = 16;

// Scratch for P x on the CPU: 16 lanes, a little apart so that they do not all fall on the same
// cache lines, and 16 sums a row.
constexpr std::uint32_t kLanePadding = 16;
constexpr std::uint64_t lane_floats(std::uint64_t stride) noexcept {
  return 16 * (stride + kLanePadding) + 16 * stride;
}

struct StoreShape {
  std::uint32_t classifiers = 0;  // n
  std::uint32_t nearest = 0;      // k
  std::uint32_t dimensions = 0;   // d
  std::uint32_t stride = 0;       // d rounded up to 32
  std::uint32_t max_classes = 0;

  // Index of row (classifier j, class c) in units of rows: [classifier][class].
  constexpr std::size_t row(std::size_t j, std::size_t c) const noexcept {
    return j * max_classes + c;
  }
};

constexpr std::uint32_t padded(std::uint32_t dimensions) noexcept {
  return (dimensions + 31U) / 32U * 32U;
}

constexpr StoreShape shape_of(const EnsembleSettings& s) noexcept {
  return {s.classifiers, s.nearest, s.dimensions, padded(s.dimensions), s.max_classes};
}

// What is learned. Persistent: snapshots hold exactly this.
struct StoreView {
  StoreShape shape;
  const std::int8_t* keys = nullptr;       // [n][stride], of length about 32*sqrt(d)
  const float* inverse_lengths = nullptr;  // [n]: 1/|key|; profile seed
  // Rows of StoreType elements, whole numbers. default: sums of quantised embeddings; seed: weights
  // in units of the learning rate.
  void* rows = nullptr;            // [n][max_classes][stride]
  std::int32_t* counts = nullptr;  // [n][max_classes]: times taught; seed: biases in steps
  // Profile default only:
  std::int32_t* class_sums = nullptr;  // [max_classes][stride]
  std::int32_t* scatter = nullptr;     // [stride][stride]; entry (r,c) is kept for c < 16*(r/16+1)
  // Both:
  std::int32_t* class_counts = nullptr;   // [max_classes]: examples taught; -1: slot not in use
  std::int32_t* class_clipped = nullptr;  // [max_classes]: row updates in which a clamp took effect
};

// What all classes have in common, from the class norms.
struct Pooled {
  float norm = 1.0F;   // the examples' mean of the noise-corrected norms
  float scale = 1.0F;  // turns agreement in deviations into a score whose softmax is a confidence
};

// What answers are computed with besides the store: derived from it, never saved. Profile default.
struct WhitenerView {
  const float* inverse = nullptr;  // [stride][stride], symmetric: inverse of the shrunk covariance
  float* class_norms = nullptr;    // [max_classes]: m'Pm of each class with examples
  Pooled* pooled = nullptr;
};

}  // namespace jackdaw
