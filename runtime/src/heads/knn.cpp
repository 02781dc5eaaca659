// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// k nearest neighbours by cosine over a bounded, class-balanced buffer. Of the k nearest, each
// votes for its class with exp((cosine - 1)/temperature), as in Wu et al. 2018; ties go to the
// lower place.
//
// Examples are kept at unit length in 16 bits (32,767 is 1), so that as many fit as a 16-bit store
// allows. By Cauchy-Schwarz no partial sum of the products of two such vectors exceeds
// (32,767 + sqrt(d)/2)^2 < 2^31, so cosines are exact sums of whole numbers in int32.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/checked.hpp"
#include "core/ordered_dot.hpp"
#include "heads/balanced_buffer.hpp"
#include "heads/head_base.hpp"
#include "heads/make_heads.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr double kOne = 32767.0;
constexpr std::uint32_t kMaxDimensions = 1U << 20U;  // keeps the bound above below 2^31

// Everything that is kept counts, also what the sections' alignment takes.
std::uint32_t capacity_of(const HeadSettings& s) {
  if (s.dimensions > kMaxDimensions) {
    throw SettingsError("knn: dimensions is " + std::to_string(s.dimensions) + "; give at most " +
                        std::to_string(kMaxDimensions));
  }
  const std::uint64_t classes =
      checked_product("knn classes", {s.max_classes, sizeof(BalancedBuffer::ClassState)});
  const std::uint64_t fixed = checked_sum("knn", classes, 3 * (kSlabAlignment - 1));
  const std::uint64_t each =
      sizeof(std::int16_t) * std::uint64_t{s.dimensions} + sizeof(std::uint32_t);
  const std::uint64_t capacity =
      s.knn.buffer_bytes > fixed ? (s.knn.buffer_bytes - fixed) / each : 0;
  if (capacity < s.max_classes) {
    throw CapacityError("knn.buffer_bytes is " + std::to_string(s.knn.buffer_bytes) +
                        "; one example of " + std::to_string(s.dimensions) +
                        " dimensions for each of " + std::to_string(s.max_classes) +
                        " classes needs " + std::to_string(fixed + each * s.max_classes));
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, BalancedBuffer::kNone - 1));
}

struct Neighbour {
  std::int32_t product;  // the cosine times kOne^2
  std::uint32_t place;
};

HeadPlanner plan_knn(const HeadSettings& s) {
  const std::uint64_t capacity = capacity_of(s);
  return HeadPlanner()
      .add<std::int16_t>("examples", "buffer", {capacity, s.dimensions})
      .add<std::uint32_t>("owners", "buffer", {capacity})
      .add<BalancedBuffer::ClassState>("classes", "buffer", {s.max_classes})
      .add<std::int16_t>("query", "scratch", {s.dimensions})
      .add<Neighbour>("neighbours", "scratch", {s.knn.nearest});
}

class KnnHead final : public HeadBase {
 public:
  explicit KnnHead(const HeadSettings& s)
      : HeadBase(s, plan_knn(s)),
        nearest_(s.knn.nearest),
        temperature_(static_cast<double>(s.knn.temperature)),
        examples_(at<std::int16_t>("examples")),
        buffer_({at<std::uint32_t>("owners"), capacity_of(s)},
                {at<BalancedBuffer::ClassState>("classes"), s.max_classes}, s.seed),
        query_(at<std::int16_t>("query")),
        neighbours_(at<Neighbour>("neighbours")) {
    if (nearest_ == 0) throw SettingsError("knn.nearest is 0; give 1 or more");
    if (!(temperature_ > 0.0) || !std::isfinite(temperature_)) {
      throw SettingsError("knn.temperature is " + std::to_string(temperature_) +
                          "; give more than 0");
    }
  }

  const char* name() const noexcept override { return name_of(HeadKind::kKnn); }

  Status teach(Span<const float> embeddings, Span<const std::uint32_t> slots) noexcept override {
    if (Status s = check_teach(embeddings, slots); s != Status::kOk) return s;
    if (Status s = check_directions(embeddings); s != Status::kOk) return s;
    for (std::size_t b = 0; b < slots.size(); ++b) {
      const std::uint32_t place = buffer_.place_for(slots[b]);
      if (place == BalancedBuffer::kNone) continue;
      quantise(embeddings.data() + b * dimensions(), row(place));
    }
    return Status::kOk;
  }

  Status refresh() noexcept override { return Status::kOk; }

  Status predict(Span<const float> embeddings, Span<float> scores) noexcept override {
    if (Status s = check_predict(embeddings, scores); s != Status::kOk) return s;
    if (Status s = check_directions(embeddings); s != Status::kOk) return s;
    for (std::size_t b = 0; b < embeddings.size() / dimensions(); ++b) {
      quantise(embeddings.data() + b * dimensions(), query_);
      vote(find_nearest(), scores.data() + b * max_classes());
    }
    return Status::kOk;
  }

 private:
  std::int16_t* row(std::size_t place) const noexcept { return examples_ + place * dimensions(); }

  Status check_directions(Span<const float> embeddings) const noexcept {
    for (std::size_t i = 0; i < embeddings.size(); i += dimensions()) {
      const float* z = embeddings.data() + i;
      if (!(dot(z, z, dimensions()) > 0.0)) return Status::kZeroEmbedding;
    }
    return Status::kOk;
  }

  void quantise(const float* z, std::int16_t* out) const noexcept {
    const double scale = kOne / std::sqrt(dot(z, z, dimensions()));
    for (std::size_t i = 0; i < dimensions(); ++i) {
      out[i] = static_cast<std::int16_t>(std::lrint(scale * static_cast<double>(z[i])));
    }
  }

  // Fills neighbours_, the best first; returns how many there are.
  std::size_t find_nearest() noexcept {
    std::size_t found = 0;
    for (std::uint32_t place = 0; place < buffer_.size(); ++place) {
      const std::int16_t* example = row(place);
      std::int32_t product = 0;
      for (std::size_t i = 0; i < dimensions(); ++i) {
        product += std::int32_t{query_[i]} * std::int32_t{example[i]};
      }
      if (found == nearest_ && product <= neighbours_[found - 1].product) continue;
      std::size_t at = found < nearest_ ? found++ : found - 1;
      for (; at > 0 && neighbours_[at - 1].product < product; --at) {
        neighbours_[at] = neighbours_[at - 1];
      }
      neighbours_[at] = {product, place};
    }
    return found;
  }

  void vote(std::size_t found, float* scores) const noexcept {
    for (std::uint32_t c = 0; c < max_classes(); ++c) {
      scores[c] = buffer_.state(c).held == 0 ? -std::numeric_limits<float>::infinity() : 0.0F;
    }
    for (std::size_t i = 0; i < found; ++i) {
      const double cosine = neighbours_[i].product / (kOne * kOne);
      scores[buffer_.owner(neighbours_[i].place)] +=
          static_cast<float>(std::exp((cosine - 1.0) / temperature_));
    }
  }

  std::uint32_t nearest_;
  double temperature_;
  std::int16_t* examples_;
  BalancedBuffer buffer_;
  std::int16_t* query_;
  Neighbour* neighbours_;
};

}  // namespace

std::unique_ptr<Head> make_knn_head(const HeadSettings& settings) {
  return std::make_unique<KnnHead>(settings);
}

}  // namespace jackdaw
