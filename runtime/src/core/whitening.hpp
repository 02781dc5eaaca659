// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shared statistics of profile default, and what answers need from them: the inverse of the
// shrunk within-class covariance. Host code in double; the CUDA backend uses it too.
//
//   within  = scatter - sum over classes of S_c S_c^T / n_c
//   C       = (within + nu*variance*levels^2*I) / (degrees + nu)
//   C_s     = (1-s) C + s*tr(C)/d*I,   s = a*d/(a*d + examples)
//   inverse = C_s^-1,  noise_trace = tr(inverse*C)

#include <cstdint>

#include "core/store_view.hpp"
#include "jackdaw/settings.hpp"

namespace jackdaw {

// What a forgotten class leaves in the shared statistics: its spread, but nothing of its mean.
struct Retired {
  std::int64_t examples = 0;
  std::int64_t classes = 0;
};

struct WhiteningInput {
  const std::int32_t* class_sums = nullptr;    // [max_classes][stride]
  const std::int32_t* class_counts = nullptr;  // [max_classes]
  Retired retired;
};

// Two steps, because the first needs the live scatter (and is short) and the second takes long.
// work: two matrices of stride*stride doubles. inverse: [stride][stride], fully written.
void load_scatter(const StoreShape& shape, const std::int32_t* scatter, double* work) noexcept;
void compute_whitening(const EnsembleSettings& settings, const WhiteningInput& input, double* work,
                       float* inverse, float& noise_trace) noexcept;

// Adds (sign = 1) or takes away (sign = -1) the rounded outer product S S^T / n of a class from the
// scatter: what closing a class does, so that only its spread stays behind.
void add_outer_of_mean(std::int32_t* scatter, std::uint32_t stride, const std::int32_t* sums,
                       std::int32_t count, std::int32_t sign) noexcept;

}  // namespace jackdaw
