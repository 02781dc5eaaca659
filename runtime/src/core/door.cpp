// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/door.hpp"

#include <algorithm>
#include <cmath>

#include "core/ordered_dot.hpp"
#include "core/random.hpp"
#include "core/store_view.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr double kKeyLevels = 32.0;  // a normal key element reaches 127 at four deviations
constexpr std::uint64_t kKeyStream = 0x6B657973;   // "keys"
constexpr std::uint64_t kWeightStream = 0x776569;  // "wei"

Status length_of(Span<const float> embedding, double& length) noexcept {
  const double square = dot(embedding.data(), embedding.data(), embedding.size());
  length = std::sqrt(square);
  return check_square(square);
}

std::int8_t to_int8(double value) noexcept {
  return static_cast<std::int8_t>(std::clamp(std::nearbyint(value), -127.0, 127.0));
}

}  // namespace

// Squares of finite floats cannot overflow a double, so the sum is finite if they all are.
Status check_square(double square) noexcept {
  if (!std::isfinite(square)) return Status::kNotFinite;
  return square > 0.0 ? Status::kOk : Status::kZeroEmbedding;
}

Status quantise(Span<const float> embedding, float levels, Span<std::int8_t> example) noexcept {
  double length = 0.0;
  if (const Status s = length_of(embedding, length); s != Status::kOk) return s;
  const double scale =
      static_cast<double>(levels) * std::sqrt(static_cast<double>(embedding.size())) / length;
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    example[i] = to_int8(static_cast<double>(embedding[i]) * scale);
  }
  return Status::kOk;
}

Status normalise(Span<const float> embedding, Span<float> example,
                 const NormaliseLoops& loops) noexcept {
  const double square = loops.square(embedding.data(), embedding.size());
  if (const Status s = check_square(square); s != Status::kOk) return s;
  loops.scale(embedding.data(), embedding.size(), 1.0 / std::sqrt(square), example.data());
  return Status::kOk;
}

void draw_keys(std::uint64_t seed, std::uint32_t dimensions, std::uint32_t stride,
               Span<std::int8_t> keys) noexcept {
  const double length = kKeyLevels * std::sqrt(static_cast<double>(dimensions));
  Random random(mix(seed, kKeyStream));
  double row[kMostDimensions];
  std::fill(keys.begin(), keys.end(), std::int8_t{0});
  for (std::size_t start = 0; start + stride <= keys.size(); start += stride) {
    double square = 0.0;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      row[i] = random.normal();
      square += row[i] * row[i];
    }
    const double scale = 1.0 / std::sqrt(square);
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      keys[start + i] = to_int8(row[i] * scale * length);
    }
  }
}

void invert_lengths(Span<const std::int8_t> keys, std::uint32_t stride,
                    Span<float> inverse_lengths) noexcept {
  for (std::size_t j = 0; j < inverse_lengths.size(); ++j) {
    std::int64_t square = 0;
    for (const std::int8_t element : keys.subspan(j * stride, stride)) square += element * element;
    inverse_lengths[j] = static_cast<float>(1.0 / std::sqrt(static_cast<double>(square)));
  }
}

void set_up_keys(const EnsembleSettings& s, Span<const std::int8_t> given, Span<std::int8_t> keys,
                 Span<float> inverse_lengths) {
  const std::uint32_t stride = padded(s.dimensions);
  const bool seed = s.profile == Profile::kSeed;
  if (given.empty()) {
    draw_keys(s.seed, s.dimensions, stride, keys);
    if (seed) invert_lengths(keys, stride, inverse_lengths);
    return;
  }
  if (seed) throw SettingsError("profile seed draws its own keys; give none");
  if (given.size() != std::size_t{s.classifiers} * s.dimensions) {
    throw SettingsError("keys hold " + std::to_string(given.size()) + " numbers; " +
                        std::to_string(s.classifiers) + " classifiers x " +
                        std::to_string(s.dimensions) + " dimensions are needed");
  }
  for (std::size_t j = 0; j < s.classifiers; ++j) {
    std::copy_n(given.data() + j * s.dimensions, s.dimensions, keys.data() + j * stride);
  }
}

void draw_initial_row(const EnsembleSettings& settings, std::uint32_t classifier,
                      std::uint32_t slot, Span<std::int32_t> steps) noexcept {
  const double fan_in = settings.seed_rule.fan_in_of_paper
                            ? static_cast<double>(settings.dimensions)
                            : static_cast<double>(settings.dimensions) * settings.classifiers;
  const double deviation = 1.0 / std::sqrt(fan_in) /
                           static_cast<double>(settings.seed_rule.learning_rate) /
                           kTruncatedDeviation;
  const double limit = element_limit(settings.store);
  Random random(mix(mix(settings.seed, kWeightStream), (std::uint64_t{classifier} << 32U) | slot));
  for (std::int32_t& step : steps) {
    step = static_cast<std::int32_t>(
        std::clamp(std::nearbyint(random.truncated_normal() * deviation), -limit, limit));
  }
}

}  // namespace jackdaw
