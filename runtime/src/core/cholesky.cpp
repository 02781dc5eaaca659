// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "core/ordered_dot.hpp"

namespace jackdaw {

void factor(double* a, std::size_t size, double least) noexcept {
  for (std::size_t r = 0; r < size; ++r) {
    double* row = a + packed_row(r);
    for (std::size_t c = 0; c < r; ++c) {
      const double* other = a + packed_row(c);
      row[c] = (row[c] - dot(row, other, c)) / other[c];
    }
    row[r] = std::sqrt(std::max(row[r] - dot(row, row, r), least));
  }
}

void solve(const double* l, std::size_t size, double* x) noexcept {
  for (std::size_t r = 0; r < size; ++r) {
    const double* row = l + packed_row(r);
    x[r] = (x[r] - dot(row, x, r)) / row[r];
  }
  for (std::size_t r = size;
       r-- > 0;) {  // L^T by rows of L: what is solved is taken out of the rest
    const double* row = l + packed_row(r);
    x[r] /= row[r];
    for (std::size_t c = 0; c < r; ++c) x[c] -= row[c] * x[r];
  }
}

}  // namespace jackdaw
