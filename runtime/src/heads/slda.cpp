// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Streaming linear discriminant analysis (Hayes & Kanan 2020): a running mean for each class and
// one covariance for all, Sigma = scatter / examples;
//   score_c = w_c.z - w_c.m_c/2,   w_c = ((1-s) Sigma + s I)^-1 m_c.
//
// One thing is done more exactly than in their code: an example adds (z-m)(z-m)^T * n/(n+1) with n
// the examples of its class before it (theirs: of all classes). So the scatter equals that of a
// batch LDA over the same examples, and the first example of a class adds nothing to it.
//
// The scatter is a packed triangle of doubles: the same bytes as a full matrix of floats.

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/cholesky.hpp"
#include "core/ordered_dot.hpp"
#include "heads/head_base.hpp"
#include "heads/make_heads.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

HeadPlanner plan_slda(const HeadSettings& s) {
  const std::uint64_t d = s.dimensions;
  const std::uint64_t triangle = d * (d + 1) / 2;  // d has 32 bits: no overflow
  return HeadPlanner()
      .add<double>("scatter", "statistics", {triangle})
      .add<double>("class means", "statistics", {s.max_classes, d})
      .add<std::uint32_t>("class counts", "statistics", {s.max_classes})
      .add<float>("weights", "weights", {s.max_classes, d})
      .add<float>("offsets", "weights", {s.max_classes})
      .add<std::uint8_t>("answering", "weights", {s.max_classes})
      .add<double>("factor", "scratch", {triangle})
      .add<double>("deviations", "scratch", {s.max_batch, d});
}

class SldaHead final : public HeadBase {
 public:
  explicit SldaHead(const HeadSettings& s)
      : HeadBase(s, plan_slda(s)),
        shrinkage_(static_cast<double>(s.slda.shrinkage)),
        scatter_(at<double>("scatter")),
        means_(at<double>("class means")),
        counts_(at<std::uint32_t>("class counts")),
        weights_(at<float>("weights")),
        offsets_(at<float>("offsets")),
        answering_(at<std::uint8_t>("answering")),
        factor_(at<double>("factor")),
        deviations_(at<double>("deviations")) {
    if (!(shrinkage_ > 0.0 && shrinkage_ <= 1.0)) {
      throw SettingsError("slda.shrinkage is " + std::to_string(shrinkage_) +
                          "; give more than 0 and at most 1");
    }
  }

  const char* name() const noexcept override { return name_of(HeadKind::kSlda); }

  Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept override {
    if (Status s = check_teach(embeddings, slots); s != Status::kOk) return s;
    if (examples_ > std::numeric_limits<std::uint32_t>::max() - max_batch()) {
      return Status::kCountersFull;
    }
    for (std::size_t b = 0; b < slots.size(); ++b) {
      take_deviation(embeddings.data() + b * dimensions(), slots[b],
                     deviations_ + b * dimensions());
    }
    add_outer_products(slots.size());
    examples_ += static_cast<std::uint32_t>(slots.size());
    return Status::kOk;
  }

  Status refresh() noexcept override {
    if (examples_ == 0) return Status::kOk;
    const std::size_t d = dimensions();
    const double scale = (1.0 - shrinkage_) / examples_;
    for (std::size_t i = 0; i < packed_row(d); ++i) factor_[i] = scale * scatter_[i];
    for (std::size_t r = 0; r < d; ++r) factor_[packed_row(r) + r] += shrinkage_;
    factor(factor_, d, shrinkage_);
    double* solution = deviations_;  // free between calls of teach
    for (std::size_t c = 0; c < max_classes(); ++c) {
      if (counts_[c] == 0) continue;
      const double* mean = means_ + c * d;
      std::memcpy(solution, mean, d * sizeof(double));
      solve(factor_, d, solution);
      offsets_[c] = static_cast<float>(0.5 * dot(solution, mean, d));
      for (std::size_t i = 0; i < d; ++i) weights_[c * d + i] = static_cast<float>(solution[i]);
      answering_[c] = 1;
    }
    return Status::kOk;
  }

  Status predict(Span<const float> embeddings, Span<float> scores) noexcept override {
    if (Status s = check_predict(embeddings, scores); s != Status::kOk) return s;
    const std::size_t d = dimensions();
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::size_t c = i % max_classes();
      scores[i] = -std::numeric_limits<float>::infinity();
      if (answering_[c] == 0) continue;
      const float* z = embeddings.data() + i / max_classes() * d;
      scores[i] =
          static_cast<float>(dot(z, weights_ + c * d, d) - static_cast<double>(offsets_[c]));
    }
    return Status::kOk;
  }

 private:
  // Moves the class's mean; out: the deviation from the old mean, scaled so that its outer product
  // is what the example adds to the scatter.
  void take_deviation(const float* z, std::uint32_t slot, double* out) noexcept {
    const double n = counts_[slot];
    const double scale = std::sqrt(n / (n + 1.0));
    double* mean = means_ + std::size_t{slot} * dimensions();
    for (std::size_t i = 0; i < dimensions(); ++i) {
      const double deviation = static_cast<double>(z[i]) - mean[i];
      out[i] = scale * deviation;
      mean[i] += deviation / (n + 1.0);
    }
    ++counts_[slot];
  }

  // One pass over the triangle for the whole batch, four examples at a time: it is far larger than
  // the caches, the deviations are not.
  void add_outer_products(std::size_t batch) noexcept {
    const std::size_t d = dimensions();
    const std::size_t fours = batch / 4 * 4;
    for (std::size_t r = 0; r < d; ++r) {
      double* row = scatter_ + packed_row(r);
      for (std::size_t b = 0; b < fours; b += 4) {
        const double* u = deviations_ + b * d;
        const double f[4] = {u[r], u[d + r], u[2 * d + r], u[3 * d + r]};
        for (std::size_t c = 0; c <= r; ++c) {
          row[c] += (f[0] * u[c] + f[1] * u[d + c]) + (f[2] * u[2 * d + c] + f[3] * u[3 * d + c]);
        }
      }
      for (std::size_t b = fours; b < batch; ++b) {
        const double* u = deviations_ + b * d;
        for (std::size_t c = 0; c <= r; ++c) row[c] += u[r] * u[c];
      }
    }
  }

  double shrinkage_;
  std::uint32_t examples_ = 0;
  double* scatter_;
  double* means_;
  std::uint32_t* counts_;
  float* weights_;
  float* offsets_;
  std::uint8_t* answering_;  // 1: the class was taught before the last refresh
  double* factor_;
  double* deviations_;
};

}  // namespace

std::unique_ptr<Head> make_slda_head(const HeadSettings& settings) {
  return std::make_unique<SldaHead>(settings);
}

}  // namespace jackdaw
