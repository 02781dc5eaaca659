// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "calibration/symmetric_eigen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/seed.hpp"

namespace jackdaw::testing {
namespace {

using Matrix = std::vector<double>;

// Vectors of length 1 at right angles, in falling order, of which each is only stretched.
void check(const Matrix& a, std::size_t n) {
  const SymmetricEigen eigen = symmetric_eigen(a, n);
  REQUIRE(eigen.values.size() == n);
  REQUIRE(eigen.vectors.size() == n * n);
  CHECK(std::is_sorted(eigen.values.rbegin(), eigen.values.rend()));
  double largest = 0.0;
  for (const double value : a) largest = std::max(largest, std::fabs(value));
  const double room = 1e-13 * static_cast<double>(n);
  double worst_angle = 0.0, worst_stretch = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double* v = eigen.vectors.data() + i * n;
    for (std::size_t j = 0; j <= i; ++j) {
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t c = 0; c < n; ++c) product += v[c] * eigen.vectors[j * n + c];
      worst_angle = std::max(worst_angle, std::fabs(product));
    }
    for (std::size_t r = 0; r < n; ++r) {
      double image = -eigen.values[i] * v[r];
      for (std::size_t c = 0; c < n; ++c) image += a[r * n + c] * v[c];
      worst_stretch = std::max(worst_stretch, std::fabs(image));
    }
  }
  CHECK(worst_angle <= room);
  CHECK(worst_stretch <= room * largest);
}

TEST_CASE("random matrices of many sizes and scales") {
  std::mt19937_64 rng(seed());
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 17U, 64U, 133U}) {
    for (const double scale : {1e-150, 1.0, 1e150}) {
      CAPTURE(n);
      CAPTURE(scale);
      Matrix a(n * n);
      for (std::size_t r = 0; r < n; ++r) {
        for (std::size_t c = 0; c <= r; ++c) a[r * n + c] = a[c * n + r] = scale * normal(rng);
      }
      check(a, n);
    }
  }
}

TEST_CASE("matrices with little in them: zero, the identity, a diagonal, blocks, one direction") {
  constexpr std::size_t n = 12;
  check(Matrix(n * n), n);
  Matrix a(n * n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = 1.0;
  check(a, n);
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] = static_cast<double>(i % 5) - 2.0;
  check(a, n);
  for (std::size_t i = 0; i + 1 < n; i += 2) a[i * n + i + 1] = a[(i + 1) * n + i] = 3.0;
  check(a, n);
  Matrix direction(n * n, 7.0);
  check(direction, n);
  const SymmetricEigen eigen = symmetric_eigen(direction, n);
  CHECK(eigen.values[0] == doctest::Approx(7.0 * n));
  CHECK(std::fabs(eigen.values[1]) < 1e-12);
}

TEST_CASE("a covariance whose variances span sixteen orders, as an encoder's features have") {
  std::mt19937_64 rng(seed());
  std::normal_distribution<double> normal;
  constexpr std::size_t n = 48;
  Matrix a(n * n);
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = normal(rng) * std::pow(10.0, -8.0 * static_cast<double>(i) / n);
    }
    for (std::size_t i = n; i-- > 1;) x[i] += 0.3 * x[i - 1];
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) a[r * n + c] += x[r] * x[c];
    }
  }
  check(a, n);
}

}  // namespace
}  // namespace jackdaw::testing
