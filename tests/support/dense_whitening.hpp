// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whitening of profile default a second time, from its definition alone: explicit covariances
// of the examples and a Gauss-Jordan inverse, in long double.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "jackdaw/settings.hpp"

namespace jackdaw::testing {

using Matrix = std::vector<std::vector<long double>>;

inline Matrix inverted(Matrix a) {
  const std::size_t d = a.size();
  for (std::size_t i = 0; i < d; ++i) {
    a[i].resize(2 * d);
    a[i][d + i] = 1;
  }
  for (std::size_t c = 0; c < d; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < d; ++r) {
      if (std::fabs(a[r][c]) > std::fabs(a[pivot][c])) pivot = r;
    }
    std::swap(a[c], a[pivot]);
    const long double scale = 1 / a[c][c];
    for (long double& value : a[c]) value *= scale;
    for (std::size_t r = 0; r < d; ++r) {
      if (r == c) continue;
      const long double factor = a[r][c];
      for (std::size_t i = c; i < 2 * d; ++i) a[r][i] -= factor * a[c][i];
    }
  }
  for (auto& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(d));
  return a;
}

// The examples of each class, d whole numbers each.
using Examples = std::vector<std::vector<std::vector<int>>>;

// One over the effective number of dimensions of W, which has so many degrees of freedom: what is
// measured, less the 1/degrees that chance alone would give, between the 1/d of a W that is the
// same in all directions and 16/d; taken together with `prior` examples of a d/4. Never above 1.
inline long double concentration_of(const Matrix& within, long double degrees, long double prior) {
  const auto d = static_cast<long double>(within.size());
  long double trace = 0, squares = 0;
  for (std::size_t r = 0; r < within.size(); ++r) {
    trace += within[r][r];
    for (const long double value : within[r]) squares += value * value;
  }
  long double measured = 0;
  if (trace > 0) {
    measured = std::fmax(squares / (trace * trace) - 1 / degrees, 1 / d);
    measured = std::fmin(std::fmin(measured, 16 / d), 1.0L);
  }
  return ((trace > 0 ? degrees * measured : 0) + prior * std::fmin(4 / d, 1.0L)) /
         ((trace > 0 ? degrees : 0) + prior);
}

// ((1-s) W/degrees + s v I)^-1, where W is the sum over classes of (x-m)(x-m)'.
inline Matrix dense_whitening(const EnsembleSettings& settings, const Examples& classes) {
  const std::size_t d = settings.dimensions;
  const DefaultRule& rule = settings.default_rule;
  Matrix within(d, std::vector<long double>(d));
  long double examples = 0, used = 0;
  for (const auto& members : classes) {
    if (members.empty()) continue;
    used += 1;
    examples += static_cast<long double>(members.size());
    std::vector<long double> mean(d);
    for (const auto& x : members) {
      for (std::size_t i = 0; i < d; ++i) mean[i] += x[i];
    }
    for (long double& m : mean) m /= static_cast<long double>(members.size());
    for (const auto& x : members) {
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) within[r][c] += (x[r] - mean[r]) * (x[c] - mean[c]);
      }
    }
  }
  long double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += within[i][i];
  const long double degrees = examples - used, width = static_cast<long double>(d);
  const long double prior = rule.prior_examples;
  const long double prior_variance =
      static_cast<long double>(rule.prior_variance) * rule.levels * rule.levels;
  const long double variance = (trace / width + prior * prior_variance) / (degrees + prior);
  const long double x = examples * concentration_of(within, degrees, prior) / rule.shrink_examples;
  const long double shrink = std::fmax(std::pow(1 + x / 64, -64.0L), 0.01L);
  for (std::size_t r = 0; r < d; ++r) {
    for (std::size_t c = 0; c < d; ++c) {
      within[r][c] = degrees > 0 ? (1 - shrink) * within[r][c] / degrees : 0;
    }
    within[r][r] += shrink * variance;
  }
  return inverted(std::move(within));
}

}  // namespace jackdaw::testing
