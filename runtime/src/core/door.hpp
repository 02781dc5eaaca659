// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The door: what an embedding becomes before anything is looked up or learned from it, the fixed
// keys it is compared with, and profile seed's initial weights. The same bits on every machine.

#include <cstddef>
#include <cstdint>

#include "core/ordered_dot.hpp"
#include "jackdaw/settings.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw {

struct NormaliseLoops {
  double (*square)(const float* z, std::size_t size) noexcept = square_of;
  void (*scale)(const float* z, std::size_t size, double factor, float* out) noexcept = scale_all;
};

// What the door says of an embedding with this squared length: kNotFinite, kZeroEmbedding or kOk.
Status check_square(double square) noexcept;

// default: the direction times levels*sqrt(d), rounded to int8 (clamped at +-127).
// Refuses NaN, infinity and the zero vector.
Status quantise(Span<const float> embedding, float levels, Span<std::int8_t> example) noexcept;

// seed: x = z / |z|. The loops may be the machine's fast ones: they give the same bits.
Status normalise(Span<const float> embedding, Span<float> example,
                 const NormaliseLoops& loops = {}) noexcept;

// Rows of N(0, I) of length 32*sqrt(d), rounded: all keys are equally long but for the few that
// hold an element beyond four deviations, which is clamped (up to 2 % shorter). So the int32 dot
// product ranks them as the cosine does. keys: [n][stride], padding zeroed.
void draw_keys(std::uint64_t seed, std::uint32_t dimensions, std::uint32_t stride,
               Span<std::int8_t> keys) noexcept;

// An ensemble's keys: drawn, or the given ones, [n][d]. inverse_lengths: [n], filled in profile
// seed, which draws its own. Throws SettingsError if keys are given there, or are not of the right
// number.
void set_up_keys(const EnsembleSettings& settings, Span<const std::int8_t> given,
                 Span<std::int8_t> keys, Span<float> inverse_lengths);

// 1/|key| of each key, by which profile seed turns a dot product into a cosine.
void invert_lengths(Span<const std::int8_t> keys, std::uint32_t stride,
                    Span<float> inverse_lengths) noexcept;

// Profile seed: row (classifier, slot) at the start, in whole steps of the learning rate. A normal
// cut off at two deviations, of variance 1/fan-in after the cut, as Haiku's VarianceScaling draws
// it.
void draw_initial_row(const EnsembleSettings& settings, std::uint32_t classifier,
                      std::uint32_t slot, Span<std::int32_t> steps) noexcept;

}  // namespace jackdaw
