// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From scores to an answer: ranked labels with confidences, or "unknown".

#include "jackdaw/learner.hpp"
#include "learner/registry.hpp"

namespace jackdaw {

// "Unknown", without labels. Leaves the scores.
void clear(Answer& answer) noexcept;

// answer.scores holds the ensemble's scores; fills the rest. Does not allocate if answer.ranked has
// the capacity. scale: what scores are multiplied with to be logits.
//
// The answer is "unknown" when the best class's typicality is below the rule's bound. "Unknown"
// takes part in the softmax with the score that the best class would have at exactly that bound, so
// the confidences of all labels and of "unknown" sum to 1 and agree with the decision.
void fill_answer(const Registry& registry, const AnswerRule& rule, float scale, bool may_be_unknown,
                 Answer& answer) noexcept;

}  // namespace jackdaw
