// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile default, as design: whole-number sums, read through the inverse within-class covariance.
// Reads like the rule itself; the loops are in Primitives.

#include <cstdint>

#include "core/scratch.hpp"
#include "core/store_view.hpp"
#include "cpu/primitives.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::default_rule {

// What the functions below work on; cheap to copy.
struct Parts {
  const EnsembleSettings& settings;
  const StoreView& store;
  const Primitives& loops;
};

// From the similarities of `batch` examples: the k nearest keys, ascending, into scratch.chosen,
// and their weights (similarities, at least 0, divided by their sum).
void select(const Parts& parts, const ScratchView& scratch, std::uint32_t batch) noexcept;

// P x of examples first .. first+count-1, at most kQueriesAtOnce, into `whitened`.
void whiten(const Parts& parts, const WhitenerView& whitener, const ScratchView& scratch,
            std::uint32_t first, std::uint32_t count, float* whitened) noexcept;

// An example's way to its scores of slots [0, slots), given P x: what the class means say (into
// sums and scores), then what each chosen classifier adds to that, in ascending order, then the
// classes' norms. dots: [max_classes], P x times the rows of the classifier, which is changed.
void begin_answer(const Parts& parts, const float* whitened, std::uint32_t slots, float* sums,
                  ClassScore* scores) noexcept;
void read_rows(const Parts& parts, const float* whitened, std::uint32_t classifier,
               std::uint32_t slots, float* dots) noexcept;
void add_classifier(const Parts& parts, const float* sums, std::uint32_t classifier, float weight,
                    std::uint32_t slots, float* dots, ClassScore* scores) noexcept;
void finish_answer(const Parts& parts, const WhitenerView& whitener, std::uint32_t slots,
                   ClassScore* scores) noexcept;

// m'Pm of a class mean.
float class_norm(const Parts& parts, const float* inverse, const ScratchView& scratch,
                 const std::int32_t* sums, std::int32_t count) noexcept;

// Adds or takes away example 0 of the batch: rows, counts and class statistics of one slot.
void change_class(const Parts& parts, const ScratchView& scratch, std::uint32_t slot,
                  int sign) noexcept;

// Asks the memory for the rows that change_class will change.
void prefetch_rows(const Parts& parts, const ScratchView& scratch, std::uint32_t slot) noexcept;

// The largest entry of the scatter's diagonal, which bounds all others.
std::int32_t largest_diagonal(const Parts& parts) noexcept;

// False if a statistic would overflow by adding the example.
bool fits(const Parts& parts, Span<const std::int8_t> example) noexcept;

}  // namespace jackdaw::default_rule
