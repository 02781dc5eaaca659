// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "learner/answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jackdaw {
namespace {

// The best class's score as it would be at typicality `bound`; score and typicality are multiples
// of the same agreement, so their ratio is known unless both are 0.
float score_at(float bound, const RankedLabel& best) {
  constexpr float kCertainly = 20.0F;  // as a logit
  const float ratio = best.score / best.typicality;
  if (std::fabs(best.typicality) < 1e-6F || ratio <= 0.0F) {
    return best.score + (best.typicality < bound ? kCertainly : -kCertainly);
  }
  return bound * ratio;
}

}  // namespace

void clear(Answer& answer) noexcept {
  answer.ranked.clear();
  answer.unknown = true;
  answer.unknown_confidence = 1.0F;
}

void fill_answer(const Registry& registry, const AnswerRule& rule, float scale, bool may_be_unknown,
                 Answer& answer) noexcept {
  clear(answer);
  for (std::uint32_t slot = 0; slot < answer.scores.size(); ++slot) {
    const ClassScore& s = answer.scores[slot];
    if (!std::isfinite(s.score) || !registry.used(slot)) continue;
    answer.ranked.push_back({registry.at(slot).label, slot, 0.0F, s.typicality, s.score});
  }
  if (answer.ranked.empty()) return;
  std::sort(answer.ranked.begin(), answer.ranked.end(),
            [](const RankedLabel& a, const RankedLabel& b) {
              return a.score != b.score ? a.score > b.score : a.slot < b.slot;
            });
  const RankedLabel& best = answer.ranked.front();
  answer.unknown = may_be_unknown && best.typicality < rule.unknown_below;
  const float unknown =
      may_be_unknown ? score_at(rule.unknown_below, best) : -std::numeric_limits<float>::infinity();
  const float top = std::max(best.score, unknown);
  float sum = std::exp(scale * (unknown - top));
  answer.unknown_confidence = sum;
  for (RankedLabel& r : answer.ranked) {
    r.confidence = std::exp(scale * (r.score - top));
    sum += r.confidence;
  }
  answer.unknown_confidence /= sum;
  for (RankedLabel& r : answer.ranked) r.confidence /= sum;
}

}  // namespace jackdaw
