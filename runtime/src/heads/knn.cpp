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
#include <vector>

#include "core/checked.hpp"
#include "core/ordered_dot.hpp"
#include "cpu/primitives.hpp"
#include "heads/balanced_buffer.hpp"
#include "heads/head_base.hpp"
#include "heads/make_heads.hpp"
#include "heads/neighbour_lists.hpp"
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
        at_most_(capacity_of(s)),
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
      if (!written_.empty()) written_[place] = ++clock_;
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

  std::unique_ptr<Questions> prepare(Span<const float> embeddings) override;

 private:
  friend class KnnQuestions;

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

  // The cosine times kOne^2.
  std::int32_t product_with(const std::int16_t* query, std::size_t place) const noexcept {
    return loops_.dot_int16(query, row(place), dimensions());
  }

  // Fills neighbours_, the best first; returns how many there are.
  std::size_t find_nearest() noexcept {
    std::size_t found = 0;
    for (std::uint32_t place = 0; place < buffer_.size(); ++place) {
      const std::int32_t product = product_with(query_, place);
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

  const Primitives& loops_ = best_primitives();
  std::uint32_t nearest_;
  std::uint32_t at_most_;  // examples
  double temperature_;
  std::int16_t* examples_;
  BalancedBuffer buffer_;
  std::int16_t* query_;
  Neighbour* neighbours_;
  // For questions, once there are any: when each place was last written, in writes since then.
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> written_;
};

class KnnQuestions final : public Questions {
 public:
  KnnQuestions(KnnHead& head, Span<const float> embeddings)
      : head_(head),
        count_(embeddings.size() / head.dimensions()),
        queries_(embeddings.size()),
        seen_(count_, 0),
        lists_(count_, head.nearest_),
        scores_(head.max_classes()) {
    for (std::size_t q = 0; q < count_; ++q) {
      head_.quantise(embeddings.data() + q * head_.dimensions(), query(q));
    }
  }

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override {
    const std::size_t classes = scores_.size();
    const std::size_t count = scores.size() / classes;
    if (count * classes != scores.size() || first + count > count_) return Status::kWrongSize;
    for (std::size_t q = first; q < first + count; ++q) {
      const Span<const Neighbour> best =
          lists_.update(q, changed_since(seen_[q]), head_.buffer_.size(),
                        [&](std::uint32_t place) { return head_.product_with(query(q), place); });
      seen_[q] = head_.clock_;
      std::copy(best.begin(), best.end(), head_.neighbours_);
      head_.vote(best.size(), scores_.data());
      for (std::size_t c = 0; c < classes; ++c) {
        scores[(q - first) * classes + c] = {scores_[c], scores_[c]};
      }
    }
    return Status::kOk;
  }

 private:
  std::int16_t* query(std::size_t q) noexcept { return queries_.data() + q * head_.dimensions(); }

  // Most questions are asked in turns, so the list of the one before is that of the next.
  Span<const std::uint32_t> changed_since(std::uint64_t moment) {
    if (moment != from_ || head_.clock_ != to_) {
      changed_.clear();
      for (std::uint32_t place = 0; place < head_.buffer_.size(); ++place) {
        if (head_.written_[place] > moment) changed_.push_back(place);
      }
      from_ = moment;
      to_ = head_.clock_;
    }
    return changed_;
  }

  KnnHead& head_;
  std::size_t count_;
  std::vector<std::int16_t> queries_;  // [question][dimensions]
  std::vector<std::uint64_t> seen_;    // the head's clock when the question was last answered
  NeighbourLists lists_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> changed_;  // places written after from_, up to to_
  std::uint64_t from_ = 0, to_ = 0;
};

std::unique_ptr<Questions> KnnHead::prepare(Span<const float> embeddings) {
  const std::size_t d = dimensions();
  if (embeddings.size() % d != 0) throw SettingsError("embeddings: not a whole number of them");
  for (std::size_t i = 0; i < embeddings.size(); i += d) {
    const Span<const float> one = embeddings.subspan(i, d);
    const bool finite =
        std::all_of(one.begin(), one.end(), [](float v) { return std::isfinite(v); });
    const Status s = finite ? check_directions(one) : Status::kNotFinite;
    if (s != Status::kOk) {
      throw SettingsError("question " + std::to_string(i / d) + ": " + describe(s));
    }
  }
  // What was written before anybody asked was written at the first moment.
  if (written_.empty()) written_.assign(at_most_, ++clock_);
  return std::make_unique<KnnQuestions>(*this, embeddings);
}

}  // namespace

std::unique_ptr<Head> make_knn_head(const HeadSettings& settings) {
  return std::make_unique<KnnHead>(settings);
}

}  // namespace jackdaw
