// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/cholesky.hpp"

namespace jackdaw {
namespace {

// However many examples: what they did not show may still come, and a covariance must have an
// inverse.
constexpr double kLeastShrinkage = 0.01;

// All loops below add in a fixed order, so that every compiler gives the same bits, and nearly all
// run along rows, so that it may vectorise them.

// Takes the class means out of the scatter; returns the number of classes with examples.
std::int64_t subtract_means(const WhiteningInput& in, const StoreShape& shape, double* within,
                            std::int64_t& examples) {
  const std::size_t d = shape.dimensions;
  const std::size_t stride = shape.stride;
  std::int64_t classes = 0;
  examples = 0;
  for (std::uint32_t slot = 0; slot < shape.max_classes; ++slot) {
    const std::int32_t count = in.class_counts[slot];
    if (count <= 0) continue;
    ++classes;
    examples += count;
    const std::int32_t* sums = in.class_sums + slot * stride;
    for (std::size_t r = 0; r < d; ++r) {
      const double mean = static_cast<double>(sums[r]) / count;
      double* row = within + packed_row(r);
      for (std::size_t c = 0; c <= r; ++c) row[c] -= mean * sums[c];
    }
  }
  return classes;
}

// 1/e of whitening.hpp: how far the spread of `degrees` examples is from being the same in all d
// directions. within: packed; trace: its trace.
double concentration(const double* within, std::size_t d, double trace, double degrees,
                     double prior) {
  const auto width = static_cast<double>(d);
  const double expected = std::min(4.0 / width, 1.0);  // encoders were seen from 1.5/d to 25/d
  // Less than the largest seen: a thing that is held still spreads over hardly any dimensions, but
  // it will not be held still for ever.
  const double most = std::min(16.0 / width, 1.0);
  if (!(trace > 0.0 && degrees > 0.0)) return expected;
  double squares = 0.0;
  for (std::size_t r = 0; r < d; ++r) {
    const double* row = within + packed_row(r);
    for (std::size_t c = 0; c < r; ++c) squares += 2.0 * (row[c] * row[c]);
    squares += row[r] * row[r];
  }
  const double measured = std::clamp(squares / (trace * trace) - 1.0 / degrees, 1.0 / width, most);
  return (degrees * measured + prior * expected) / (degrees + prior);
}

// exp(-x) to within 0.5 % of 1, without a library's exp: all machines agree to the bit.
double decay(double x) {
  double power = 1.0 / (1.0 + x / 64.0);
  for (int i = 0; i < 6; ++i) power *= power;
  return power;
}

// In place: the lower triangular factor becomes its inverse. line: room for one row.
void invert_lower(double* a, std::size_t d, double* line) {
  for (std::size_t i = 0; i < d; ++i) {
    double* row = a + packed_row(i);
    std::copy(row, row + i + 1, line);
    std::fill(row, row + i, 0.0);
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = line[k];
      const double* done = a + packed_row(k);
      for (std::size_t c = 0; c <= k; ++c) row[c] -= factor * done[c];
    }
    const double scale = 1.0 / line[i];
    for (std::size_t c = 0; c < i; ++c) row[c] *= scale;
    row[i] = scale;
  }
}

// product (lower triangle) = x'x for a lower triangular x.
void transposed_product(const double* x, std::size_t d, double* product) {
  std::fill_n(product, packed_row(d), 0.0);
  for (std::size_t k = 0; k < d; ++k) {
    const double* row = x + packed_row(k);
    for (std::size_t r = 0; r <= k; ++r) {
      const double factor = row[r];
      double* out = product + packed_row(r);
      for (std::size_t c = 0; c <= r; ++c) out[c] += factor * row[c];
    }
  }
}

std::int32_t rounded_ratio(std::int64_t numerator, std::int64_t denominator) {
  // To nearest, halves away from zero; denominator > 0.
  const std::int64_t half = denominator / 2;
  return static_cast<std::int32_t>(numerator >= 0 ? (numerator + half) / denominator
                                                  : -((-numerator + half) / denominator));
}

}  // namespace

void load_scatter(const StoreShape& shape, const std::int32_t* scatter, double* work) noexcept {
  for (std::size_t r = 0; r < shape.dimensions; ++r) {
    const std::int32_t* row = scatter + r * shape.stride;
    std::copy(row, row + r + 1, work + packed_row(r));
  }
}

void compute_whitening(const EnsembleSettings& settings, const WhiteningInput& input, double* work,
                       float* inverse) noexcept {
  const StoreShape shape = shape_of(settings);
  const DefaultRule& rule = settings.default_rule;
  const std::size_t d = shape.dimensions;
  const std::size_t stride = shape.stride;
  double* a = work;
  double* b = work + packed_row(d);

  std::int64_t examples = 0;
  std::int64_t classes = subtract_means(input, shape, a, examples);
  examples += input.retired.examples;
  classes += input.retired.classes;

  double trace = 0.0;
  for (std::size_t r = 0; r < d; ++r) trace += a[packed_row(r) + r];
  const double degrees = static_cast<double>(std::max<std::int64_t>(examples - classes, 0));
  const double prior = rule.prior_examples;
  const double prior_variance = static_cast<double>(rule.prior_variance) *
                                static_cast<double>(rule.levels) * static_cast<double>(rule.levels);
  const double variance =
      (trace / static_cast<double>(d) + prior * prior_variance) / (degrees + prior);
  const double shrink = std::max(kLeastShrinkage, decay(static_cast<double>(examples) *
                                                        concentration(a, d, trace, degrees, prior) /
                                                        static_cast<double>(rule.shrink_examples)));
  const double scale = (1.0 - shrink) / std::max(degrees, 1.0);
  for (std::size_t i = 0; i < packed_row(d); ++i) b[i] = scale * a[i];
  for (std::size_t r = 0; r < d; ++r) b[packed_row(r) + r] += shrink * variance;

  factor(b, d, shrink * variance);
  invert_lower(b, d, a);  // a serves as room for one row
  transposed_product(b, d, a);

  std::fill_n(inverse, stride * stride, 0.0F);
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      inverse[r * stride + c] = inverse[c * stride + r] = static_cast<float>(a[packed_row(r) + c]);
    }
  }
}

Pooled pool_norms(const EnsembleSettings& settings, const float* class_norms,
                  const std::int32_t* class_counts, std::uint32_t slots) noexcept {
  constexpr double kLeastShare = 0.02;  // of the mean norm
  double corrected = 0.0;
  double plain = 0.0;
  double examples = 0.0;
  double classes = 0.0;
  for (std::uint32_t c = 0; c < slots; ++c) {
    if (class_counts[c] <= 0) continue;
    corrected += static_cast<double>(class_norms[c]) * class_counts[c] - settings.dimensions;
    plain += class_norms[c];
    examples += class_counts[c];
    classes += 1.0;
  }
  if (classes == 0.0 || !(plain > 0.0)) return {};
  const double mean = plain / classes;
  const double common = std::max(corrected / examples, kLeastShare * mean);
  return {
      static_cast<float>(common),
      static_cast<float>(common / mean / static_cast<double>(settings.default_rule.temperature))};
}

void add_outer_of_mean(std::int32_t* scatter, std::uint32_t stride, const std::int32_t* sums,
                       std::int32_t count, std::int32_t sign) noexcept {
  if (count <= 0) return;
  for (std::size_t r = 0; r < stride; ++r) {
    const std::size_t end = 16 * (r / 16 + 1);
    for (std::size_t c = 0; c < end; ++c) {
      scatter[r * stride + c] +=
          sign * rounded_ratio(std::int64_t{sums[r]} * std::int64_t{sums[c]}, count);
    }
  }
}

}  // namespace jackdaw
