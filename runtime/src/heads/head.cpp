// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/head.hpp"

#include <algorithm>
#include <vector>

#include "heads/make_heads.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr HeadKind kKinds[] = {HeadKind::kNearestMean, HeadKind::kSlda, HeadKind::kKnn,
                               HeadKind::kVanilla, HeadKind::kTanh};

// Keeps nothing but where the embeddings are.
class PlainQuestions final : public Questions {
 public:
  PlainQuestions(Head& head, Span<const float> embeddings)
      : head_(head),
        embeddings_(embeddings),
        scores_(std::size_t{head.max_batch()} * head.max_classes()) {}

  Status answer(std::size_t first, Span<ClassScore> scores) noexcept override {
    const std::size_t classes = head_.max_classes();
    const std::size_t d = head_.dimensions();
    const std::size_t count = scores.size() / classes;
    if (count * classes != scores.size() || (first + count) * d > embeddings_.size()) {
      return Status::kWrongSize;
    }
    for (std::size_t at = 0; at < count; at += head_.max_batch()) {
      const std::size_t batch = std::min<std::size_t>(head_.max_batch(), count - at);
      const Span<float> out(scores_.data(), batch * classes);
      const Status s = head_.predict(embeddings_.subspan((first + at) * d, batch * d), out);
      if (s != Status::kOk) return s;
      for (std::size_t i = 0; i < out.size(); ++i) scores[at * classes + i] = {out[i], out[i]};
    }
    return Status::kOk;
  }

 private:
  Head& head_;
  Span<const float> embeddings_;
  std::vector<float> scores_;
};

}  // namespace

std::unique_ptr<Questions> Head::prepare(Span<const float> embeddings) {
  return std::make_unique<PlainQuestions>(*this, embeddings);
}

const char* name_of(HeadKind kind) noexcept {
  switch (kind) {
    case HeadKind::kNearestMean:
      return "ncm";
    case HeadKind::kSlda:
      return "slda";
    case HeadKind::kKnn:
      return "knn";
    case HeadKind::kVanilla:
      return "vanilla";
    case HeadKind::kTanh:
      return "tanh";
  }
  return "?";
}

HeadKind head_kind(const std::string& name) {
  std::string known;
  for (const HeadKind kind : kKinds) {
    if (name == name_of(kind)) return kind;
    known += (known.empty() ? "" : ", ") + std::string(name_of(kind));
  }
  throw SettingsError("there is no head \"" + name + "\" to compare with; there are " + known);
}

std::unique_ptr<Head> make_head(HeadKind kind, const HeadSettings& settings) {
  switch (kind) {
    case HeadKind::kNearestMean:
      return make_nearest_mean_head(settings);
    case HeadKind::kSlda:
      return make_slda_head(settings);
    case HeadKind::kKnn:
      return make_knn_head(settings);
    case HeadKind::kVanilla:
      return make_vanilla_head(settings);
    case HeadKind::kTanh:
      return make_tanh_head(settings);
  }
  throw SettingsError("unknown kind of head");
}

}  // namespace jackdaw
