// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Solves A x = b for a symmetric positive definite A, in place and in double. Triangles are packed
// by rows: entry (r, c), c <= r, is at packed_row(r) + c, so that rows are contiguous.
//
//   factor(a, size, least);       // A becomes L, A = L L^T
//   solve(a, size, x);            // x becomes A^-1 x

#include <cstddef>

namespace jackdaw {

constexpr std::size_t packed_row(std::size_t r) noexcept { return r * (r + 1) / 2; }

// least: a bound below every eigenvalue of A, > 0. A pivot cannot be smaller than the smallest
// eigenvalue; one that is smaller is rounding, and is lifted to the bound. So it never fails.
void factor(double* a, std::size_t size, double least) noexcept;

void solve(const double* l, std::size_t size, double* x) noexcept;

}  // namespace jackdaw
