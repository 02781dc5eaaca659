// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/door.hpp"

#include <algorithm>
#include <cmath>

#include "core/ordered_dot.hpp"
#include "core/random.hpp"

namespace jackdaw {
namespace {

constexpr double kKeyLevels = 32.0;  // a normal key element reaches 127 at four deviations
constexpr std::uint64_t kKeyStream = 0x6B657973;   // "keys"
constexpr std::uint64_t kWeightStream = 0x776569;  // "wei"

// Squares of finite floats cannot overflow a double, so the sum is finite if they all are.
Status length_of(Span<const float> embedding, double& length) noexcept {
  const double square = dot(embedding.data(), embedding.data(), embedding.size());
  if (!std::isfinite(square)) return Status::kNotFinite;
  if (square <= 0.0) return Status::kZeroEmbedding;
  length = std::sqrt(square);
  return Status::kOk;
}

std::int8_t to_int8(double value) noexcept {
  return static_cast<std::int8_t>(std::clamp(std::nearbyint(value), -127.0, 127.0));
}

// Draws one key and hands each normalised element to `put`.
template <class Put>
void draw_key(Random& random, std::uint32_t dimensions, double* row, const Put& put) noexcept {
  double square = 0.0;
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    row[i] = random.normal();
    square += row[i] * row[i];
  }
  const double scale = 1.0 / std::sqrt(square);
  for (std::uint32_t i = 0; i < dimensions; ++i) put(i, row[i] * scale);
}

template <class T, class Convert>
void draw_all(std::uint64_t seed, std::uint32_t dimensions, std::uint32_t stride, Span<T> keys,
              const Convert& convert) noexcept {
  Random random(mix(seed, kKeyStream));
  double row[8192];
  std::fill(keys.begin(), keys.end(), T{});
  for (std::size_t start = 0; start + stride <= keys.size(); start += stride) {
    draw_key(random, dimensions, row,
             [&](std::uint32_t i, double value) { keys[start + i] = convert(value); });
  }
}

}  // namespace

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

Status normalise(Span<const float> embedding, Span<float> example) noexcept {
  double length = 0.0;
  if (const Status s = length_of(embedding, length); s != Status::kOk) return s;
  const double scale = 1.0 / length;
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    example[i] = static_cast<float>(static_cast<double>(embedding[i]) * scale);
  }
  return Status::kOk;
}

void draw_keys(std::uint64_t seed, std::uint32_t dimensions, std::uint32_t stride,
               Span<std::int8_t> keys) noexcept {
  const double length = kKeyLevels * std::sqrt(static_cast<double>(dimensions));
  draw_all(seed, dimensions, stride, keys, [&](double value) { return to_int8(value * length); });
}

void draw_keys(std::uint64_t seed, std::uint32_t dimensions, std::uint32_t stride,
               Span<float> keys) noexcept {
  draw_all(seed, dimensions, stride, keys, [](double value) { return static_cast<float>(value); });
}

void draw_initial_row(const EnsembleSettings& settings, std::uint32_t classifier,
                      std::uint32_t slot, Span<std::int32_t> steps) noexcept {
  const double fan_in = settings.seed_rule.fan_in_of_paper
                            ? static_cast<double>(settings.dimensions)
                            : static_cast<double>(settings.dimensions) * settings.classifiers;
  const double deviation =
      1.0 / std::sqrt(fan_in) / static_cast<double>(settings.seed_rule.learning_rate);
  const double limit = element_limit(settings.store);
  Random random(mix(mix(settings.seed, kWeightStream), (std::uint64_t{classifier} << 32U) | slot));
  for (std::int32_t& step : steps) {
    step = static_cast<std::int32_t>(
        std::clamp(std::nearbyint(random.truncated_normal() * deviation), -limit, limit));
  }
}

}  // namespace jackdaw
