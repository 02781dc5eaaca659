// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "calibration/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/ordered_dot.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

using Numbers = std::vector<double>;

// A matrix with three diagonals, T = Q^T matrix Q.
struct Tridiagonal {
  Numbers diagonal;  // [size]
  Numbers beside;    // [size]; beside[i] stands at (i, i + 1), the last is 0
  Numbers turn;      // [size][size], Q^T
};

// Step k mirrors the space so that row k keeps one element beside the diagonal. The mirror's
// normal, of squared length 2, stays in the rest of the row; it is all zero where nothing had to be
// done.
Tridiagonal reduce(Numbers& a, std::size_t n) {
  Tridiagonal out{Numbers(n), Numbers(n), Numbers(n * n)};
  Numbers w(n);
  for (std::size_t k = 0; k + 2 < n; ++k) {
    const std::size_t first = k + 1, rest = n - first;
    double* v = a.data() + k * n + first;
    const double length = std::sqrt(dot(v, v, rest));
    if (length == 0.0) continue;
    const double kept = v[0] > 0.0 ? -length : length;
    v[0] -= kept;
    const double scale = std::sqrt(2.0 / dot(v, v, rest));
    for (std::size_t i = 0; i < rest; ++i) v[i] *= scale;
    out.beside[k] = kept;
    // (1 - v v^T) A (1 - v v^T) = A - v w^T - w v^T
    for (std::size_t r = 0; r < rest; ++r) w[r] = dot(a.data() + (first + r) * n + first, v, rest);
    const double half = dot(v, w.data(), rest) / 2.0;
    for (std::size_t r = 0; r < rest; ++r) w[r] -= half * v[r];
    for (std::size_t r = 0; r < rest; ++r) {
      double* row = a.data() + (first + r) * n + first;
      const double vr = v[r], wr = w[r];
      for (std::size_t c = 0; c < rest; ++c) row[c] -= vr * w[c] + wr * v[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) out.diagonal[i] = a[i * n + i];
  if (n >= 2) out.beside[n - 2] = a[(n - 2) * n + n - 1];

  // The mirrors put together, the last first: each touches only what comes after its row.
  for (std::size_t i = 0; i < n; ++i) out.turn[i * n + i] = 1.0;
  for (std::size_t k = n < 2 ? 0 : n - 2; k-- > 0;) {
    const std::size_t first = k + 1, rest = n - first;
    const double* v = a.data() + k * n + first;
    for (std::size_t r = first; r < n; ++r) {
      double* row = out.turn.data() + r * n + first;
      const double along = dot(row, v, rest);
      for (std::size_t c = 0; c < rest; ++c) row[c] -= along * v[c];
    }
  }
  return out;
}

void turn_rows(double* upper, double* lower, double cosine, double sine, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const double u = upper[i], l = lower[i];
    lower[i] = sine * u + cosine * l;
    upper[i] = cosine * u - sine * l;
  }
}

// One implicit QL step on rows first..last, shifted towards the eigenvalue that `first` is to
// become.
void step(Tridiagonal& t, std::size_t n, std::size_t first, std::size_t last) {
  Numbers& d = t.diagonal;
  Numbers& e = t.beside;
  const double slope = (d[first + 1] - d[first]) / (2.0 * e[first]);
  double g = d[last] - d[first] + e[first] / (slope + std::copysign(std::hypot(slope, 1.0), slope));
  double sine = 1.0, cosine = 1.0, moved = 0.0;
  for (std::size_t i = last; i-- > first;) {
    const double f = sine * e[i], b = cosine * e[i];
    const double length = std::hypot(f, g);
    e[i + 1] = length;
    if (length == 0.0) {  // it falls apart here; what is above is left to the next step
      d[i + 1] -= moved;
      e[last] = 0.0;
      return;
    }
    sine = f / length;
    cosine = g / length;
    const double base = d[i + 1] - moved;
    const double r = (d[i] - base) * sine + 2.0 * cosine * b;
    moved = sine * r;
    d[i + 1] = base + moved;
    g = cosine * r - b;
    turn_rows(t.turn.data() + i * n, t.turn.data() + (i + 1) * n, cosine, sine, n);
  }
  d[first] -= moved;
  e[first] = g;
  e[last] = 0.0;
}

void diagonalise(Tridiagonal& t, std::size_t n) {
  constexpr int kMostSteps = 100;  // an eigenvalue; two are usual
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  for (std::size_t first = 0; first < n; ++first) {
    for (int steps = 0;; ++steps) {
      std::size_t last = first;
      while (last + 1 < n &&
             std::fabs(t.beside[last]) >
                 kEpsilon * (std::fabs(t.diagonal[last]) + std::fabs(t.diagonal[last + 1]))) {
        ++last;
      }
      if (last == first) break;
      if (steps == kMostSteps) {
        throw SettingsError(
            "no eigenvectors of these pictures' features can be found; give other "
            "pictures");
      }
      step(t, n, first, last);
    }
  }
}

}  // namespace

SymmetricEigen symmetric_eigen(Numbers matrix, std::size_t size) {
  Tridiagonal t = reduce(matrix, size);
  diagonalise(t, size);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return t.diagonal[a] > t.diagonal[b]; });
  SymmetricEigen out;
  out.values.reserve(size);
  out.vectors.reserve(size * size);
  for (const std::size_t i : order) {
    out.values.push_back(t.diagonal[i]);
    const auto row = t.turn.begin() + static_cast<std::ptrdiff_t>(i * size);
    out.vectors.insert(out.vectors.end(), row, row + static_cast<std::ptrdiff_t>(size));
  }
  return out;
}

}  // namespace jackdaw
