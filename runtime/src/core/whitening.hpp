// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The shared statistics of profile default, and what answers need from them: the inverse of the
// shrunk within-class covariance. Host code in double; the CUDA backend uses it too.
//
//   within  = scatter - sum over classes of S_c S_c'/n_c
//   v       = (tr(within)/d + nu*variance*levels^2) / (degrees + nu)
//             the mean variance, with a prior of nu examples
//   inverse = ((1-s)*within/degrees + s*v*I)^-1
//   s       = exp(-examples/(a*e)), at least 0.01,   a = shrink_examples
//   1/e     = (degrees*w + nu*4/d) / (degrees + nu)
//   w       = tr(within^2)/tr(within)^2 - 1/degrees, at least 1/d and at most 16/d
//             (4/d and 16/d: at most 1)
//
// e is how many dimensions the classes effectively spread over: tr(C)^2/tr(C^2) of their covariance
// C, which is d where the spread is the same in all directions. Chance alone adds 1/degrees to its
// inverse. A spread over few dimensions is known from few examples: it needs shrinkage for a
// shorter time.

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
// work: whitening_doubles(stride). inverse: [stride][stride], fully written.
constexpr std::uint64_t whitening_doubles(std::uint64_t stride) noexcept {
  return stride * (stride + 1);  // two packed triangles
}
void load_scatter(const StoreShape& shape, const std::int32_t* scatter, double* work) noexcept;
void compute_whitening(const EnsembleSettings& settings, const WhiteningInput& input, double* work,
                       float* inverse) noexcept;

// The common norm and the scale of scores, from m'Pm of the classes [0, slots). Each norm holds the
// noise of its mean, d/n on average (the trace of P times the covariance), which is taken off.
Pooled pool_norms(const EnsembleSettings& settings, const float* class_norms,
                  const std::int32_t* class_counts, std::uint32_t slots) noexcept;

// The norm that a class is judged by: corrected for noise and pulled to the common one.
inline float settled_norm(const DefaultRule& rule, float dimensions, float norm, float examples,
                          float common) noexcept {
  const float weight = examples / (examples + rule.pool_examples);
  const float pulled = weight * (norm - dimensions / examples) + (1.0F - weight) * common;
  const float least = rule.least_norm * norm;
  const float settled = pulled > least ? pulled : least;
  return settled > 1e-12F ? settled : 1e-12F;
}

// Adds (sign = 1) or takes away (sign = -1) the rounded outer product S S^T / n of a class from the
// scatter: what closing a class does, so that only its spread stays behind.
void add_outer_of_mean(std::int32_t* scatter, std::uint32_t stride, const std::int32_t* sums,
                       std::int32_t count, std::int32_t sign) noexcept;

}  // namespace jackdaw
