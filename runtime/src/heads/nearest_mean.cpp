// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Nearest class mean: score_c = -|z - m_c|^2, or cos(z, m_c) with m_c the mean of unit embeddings.
// Sums in double: an embedding in float is then added without visible loss for any real stream.

#include <cmath>
#include <limits>

#include "core/ordered_dot.hpp"
#include "heads/head_base.hpp"
#include "heads/make_heads.hpp"

namespace jackdaw {
namespace {

class NearestMeanHead final : public HeadBase {
 public:
  explicit NearestMeanHead(const HeadSettings& s)
      : HeadBase(s, HeadPlanner()
                        .add<double>("class sums", "statistics", {s.max_classes, s.dimensions})
                        .add<double>("squared sums", "statistics", {s.max_classes})
                        .add<std::uint32_t>("class counts", "statistics", {s.max_classes})),
        cosine_(s.nearest_mean.cosine),
        sums_(at<double>("class sums")),
        squares_(at<double>("squared sums")),
        counts_(at<std::uint32_t>("class counts")) {}

  const char* name() const noexcept override { return name_of(HeadKind::kNearestMean); }

  Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept override {
    if (Status s = check_teach(embeddings, slots); s != Status::kOk) return s;
    if (Status s = check_directions(embeddings); s != Status::kOk) return s;
    const std::size_t d = dimensions();
    for (const std::uint32_t slot : slots) {
      if (counts_[slot] > std::numeric_limits<std::uint32_t>::max() - max_batch()) {
        return Status::kCountersFull;
      }
    }
    for (std::size_t b = 0; b < slots.size(); ++b) {
      const float* z = embeddings.data() + b * d;
      double* sum = sums_ + slots[b] * d;
      const double scale = cosine_ ? 1.0 / std::sqrt(dot(z, z, d)) : 1.0;
      for (std::size_t i = 0; i < d; ++i) sum[i] += scale * static_cast<double>(z[i]);
      squares_[slots[b]] = dot(sum, sum, d);
      ++counts_[slots[b]];
    }
    return Status::kOk;
  }

  Status refresh() noexcept override { return Status::kOk; }

  Status predict(Span<const float> embeddings, Span<float> scores) noexcept override {
    if (Status s = check_predict(embeddings, scores); s != Status::kOk) return s;
    if (Status s = check_directions(embeddings); s != Status::kOk) return s;
    const std::size_t d = dimensions();
    for (std::size_t b = 0; b < embeddings.size() / d; ++b) {
      const float* z = embeddings.data() + b * d;
      const double square = dot(z, z, d);
      for (std::size_t c = 0; c < max_classes(); ++c) {
        scores[b * max_classes() + c] =
            counts_[c] == 0 ? -std::numeric_limits<float>::infinity() : score(z, square, c);
      }
    }
    return Status::kOk;
  }

 private:
  Status check_directions(Span<const float> embeddings) const noexcept {
    if (!cosine_) return Status::kOk;
    const std::size_t d = dimensions();
    for (std::size_t at = 0; at < embeddings.size(); at += d) {
      const float* z = embeddings.data() + at;
      if (!(dot(z, z, d) > 0.0)) return Status::kZeroEmbedding;
    }
    return Status::kOk;
  }

  float score(const float* z, double square, std::size_t c) const noexcept {
    const double product = dot(z, sums_ + c * std::size_t{dimensions()}, dimensions());
    if (cosine_) {  // a class whose unit embeddings cancel out has no direction
      return squares_[c] > 0.0 ? static_cast<float>(product / std::sqrt(square * squares_[c]))
                               : 0.0F;
    }
    const double n = counts_[c];
    return static_cast<float>(-(square - 2.0 * product / n + squares_[c] / (n * n)));
  }

  bool cosine_;
  double* sums_;
  double* squares_;  // |sum of the class|^2
  std::uint32_t* counts_;
};

}  // namespace

std::unique_ptr<Head> make_nearest_mean_head(const HeadSettings& settings) {
  return std::make_unique<NearestMeanHead>(settings);
}

}  // namespace jackdaw
