// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed: the rule of "Encoders and Ensembles for Task-Free Continual Learning" as its
// authors' code has it, written once for any number type. The product runs it in float on the
// machine's fast loops; the tests run the same text in double against NumPy.
//
// Ops gives the number type and the loops (see FloatOps in seed_cpu_ensemble.cpp):
//   using Real
//   const Real* example(b)
//   Real dot(x, j, c)                               row (j, c) . x
//   void dots(x, j, slots, out[slots])              rows (j, 0..slots) . x
//   bool add(j, c, delta int8[stride], sign)        true if clamped
//   Real tanh(Real),  void axpy(a, x, y),  void signs(x, out int8[stride])

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/store_view.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw {

template <class Real>
struct SeedBuffers {
  std::uint32_t* chosen = nullptr;       // [max_batch][k] ascending: given
  Real* weights = nullptr;               // [max_batch][k]: their similarities, given
  Real* dots = nullptr;                  // [max_classes]
  Real* answers = nullptr;               // [max_batch][max_classes]
  Real* gradient = nullptr;              // [stride]
  std::int8_t* signs = nullptr;          // [stride]
  std::int8_t* example_signs = nullptr;  // [max_batch][stride]
  Real* totals = nullptr;                // [max_batch]
  std::int32_t* next = nullptr;          // [max_batch][k]
  std::int32_t* head = nullptr;          // [n]
};

template <class Ops>
class SeedStep {
 public:
  using Real = typename Ops::Real;

  SeedStep(const EnsembleSettings& settings, const StoreView& store,
           const SeedBuffers<Real>& buffers, const Ops& ops)
      : store_(store),
        shape_(store.shape),
        at_(buffers),
        ops_(ops),
        learning_rate_(static_cast<Real>(settings.seed_rule.learning_rate)),
        tau_(static_cast<Real>(settings.seed_rule.tau)) {}

  // After the k nearest keys were found, before anything else: S of each example.
  void add_up(std::uint32_t batch) const {
    for (std::size_t b = 0; b < batch; ++b) {
      Real sum = 0;
      for (std::size_t r = 0; r < shape_.nearest; ++r) sum += at_.weights[b * shape_.nearest + r];
      at_.totals[b] = sum;
    }
  }

  // S, by which a similarity becomes a share. Zero or less only if k is near n.
  Real total(std::size_t b) const { return at_.totals[b]; }

  // y_c of every example for slots [0, slots), into answers[b*max_classes + c]; -infinity where a
  // slot is not in use. Classifier by classifier, so that its rows are read once for all who chose
  // it; each example still adds them up in ascending order. kNoSimilarity if that is so for any of
  // them.
  Status answer(std::uint32_t batch, std::uint32_t slots) const {
    for (std::size_t j = 0; j < shape_.classifiers; ++j) at_.head[j] = kNone;
    for (std::uint32_t b = batch; b-- > 0;) {
      for (std::uint32_t c = 0; c < slots; ++c) answers(b)[c] = 0;
      link(b, 0, shape_.classifiers);
    }
    for (std::uint32_t j = 0; j < shape_.classifiers; ++j) {
      for (std::int32_t entry = at_.head[j]; entry != kNone; entry = at_.next[entry]) {
        add_answer(j, static_cast<std::size_t>(entry), slots);
      }
    }
    return finish_answers(batch, FirstSlots{slots});
  }

  // The parts of answer(), for those who have the dots already and want some slots only: answers
  // are 0 at first, then come the classifiers of an example in ascending order, then the division
  // by S. dots[i] and slots[i] belong together.
  template <class Slots>
  void add_dots(std::size_t j, std::size_t entry, const Slots& slots, const Real* dots) const {
    const std::size_t b = entry / shape_.nearest;
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::size_t c = slots[i];
      const Real v = tau_ * ops_.tanh(argument(dots[i], store_.counts[shape_.row(j, c)]));
      answers(b)[c] = std::fma(at_.weights[entry], v, answers(b)[c]);
    }
  }
  template <class Slots>
  Status finish_answers(std::uint32_t batch, const Slots& slots) const {
    Status status = Status::kOk;
    for (std::uint32_t b = 0; b < batch; ++b) {
      const Real sum = total(b);
      if (!(sum > 0)) status = Status::kNoSimilarity;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::size_t c = slots[i];
        const bool can = sum > 0 && store_.class_counts[c] >= 0;
        answers(b)[c] = can ? answers(b)[c] / sum : -std::numeric_limits<Real>::infinity();
      }
    }
    return status;
  }

  // One example (number b of the chosen): every chosen row moves one step in the direction of x, or
  // against it where the similarity is below 0 (only if k is near n).
  void teach_one(std::size_t b, std::uint32_t slot, int sign) const {
    ops_.signs(ops_.example(b), at_.signs);
    for (std::size_t r = 0; r < shape_.nearest; ++r) {
      const std::size_t entry = b * shape_.nearest + r;
      const int direction = sign * sign_of(at_.weights[entry]);
      step(at_.chosen[entry], slot, at_.signs, direction, direction);
    }
    store_.class_counts[slot] += sign;
  }

  // The batch's gradient: each row moves by the sign of what its examples sum to, all seen with the
  // weights from before the batch. Classifiers [first, last): different ones may be moved by
  // different threads at the same time, with buffers that share all but gradient and signs.
  void teach(std::uint32_t batch, const std::uint32_t* slots, std::uint32_t first,
             std::uint32_t last) const {
    for (std::size_t j = first; j < last; ++j) at_.head[j] = kNone;
    for (std::uint32_t b = batch; b-- > 0;) {
      if (total(b) > 0) link(b, first, last);
    }
    for (std::uint32_t j = first; j < last; ++j) {
      for (std::int32_t e = at_.head[j]; e != kNone; e = at_.next[e]) {
        if (first_of_its_class(j, e, slots)) move_row(j, e, slots);
      }
    }
  }

  // Before teach(): what all its threads need.
  void prepare(std::uint32_t batch) const {
    for (std::size_t b = 0; b < batch; ++b) {
      ops_.signs(ops_.example(b), at_.example_signs + b * shape_.stride);
    }
  }

  // After teach() has moved all classifiers.
  void count(std::uint32_t batch, const std::uint32_t* slots) const {
    for (std::uint32_t b = 0; b < batch; ++b) {
      if (total(b) > 0) ++store_.class_counts[slots[b]];
    }
  }

 private:
  static constexpr std::int32_t kNone = -1;

  struct FirstSlots {  // 0, 1, ...
    std::uint32_t count;
    std::size_t size() const { return count; }
    std::size_t operator[](std::size_t i) const { return i; }
  };

  Real argument(Real dot, std::int32_t bias) const {
    return (dot + static_cast<Real>(bias)) * learning_rate_ / tau_;
  }

  Real* answers(std::size_t b) const { return at_.answers + b * shape_.max_classes; }

  // Puts example b before the others that chose the same classifier of [first, last). Called from
  // the last example to the first, so that a list read from its head is in the batch's order.
  void link(std::uint32_t b, std::uint32_t first, std::uint32_t last) const {
    for (std::uint32_t r = 0; r < shape_.nearest; ++r) {
      const std::uint32_t entry = b * shape_.nearest + r;
      const std::uint32_t j = at_.chosen[entry];
      if (j < first || j >= last) continue;
      at_.next[entry] = at_.head[j];
      at_.head[j] = static_cast<std::int32_t>(entry);
    }
  }

  void add_answer(std::size_t j, std::size_t entry, std::uint32_t slots) const {
    ops_.dots(ops_.example(entry / shape_.nearest), j, slots, at_.dots);
    add_dots(j, entry, FirstSlots{slots}, at_.dots);
  }

  std::size_t example_of(std::int32_t entry) const {
    return static_cast<std::size_t>(entry) / shape_.nearest;
  }

  // Among the examples that chose classifier j.
  bool first_of_its_class(std::uint32_t j, std::int32_t entry, const std::uint32_t* slots) const {
    for (std::int32_t e = at_.head[j]; e != entry; e = at_.next[e]) {
      if (slots[example_of(e)] == slots[example_of(entry)]) return false;
    }
    return true;
  }

  // The next of the same class that chose the same classifier, or kNone.
  std::int32_t next_of_class(std::int32_t entry, std::uint32_t slot,
                             const std::uint32_t* slots) const {
    do {
      entry = at_.next[entry];
    } while (entry != kNone && slots[example_of(entry)] != slot);
    return entry;
  }

  // The row of classifier j for the class of `entry`, by all examples of it.
  void move_row(std::size_t j, std::int32_t entry, const std::uint32_t* slots) const {
    const std::uint32_t slot = slots[example_of(entry)];
    if (next_of_class(entry, slot, slots) == kNone) {
      // One example: the sign of its gradient is that of s*x.
      const int direction = sign_of(at_.weights[entry]);
      step(j, slot, at_.example_signs + example_of(entry) * shape_.stride, direction, direction);
      return;
    }
    Real for_bias = 0;
    for (std::size_t i = 0; i < shape_.stride; ++i) at_.gradient[i] = 0;
    for (; entry != kNone; entry = next_of_class(entry, slot, slots)) {
      const std::size_t b = example_of(entry);
      const Real* x = ops_.example(b);
      const Real th = ops_.tanh(argument(ops_.dot(x, j, slot), store_.counts[shape_.row(j, slot)]));
      const Real pull = at_.weights[entry] / total(b) * (1 - th * th);
      ops_.axpy(pull, x, at_.gradient);
      for_bias += pull;
    }
    ops_.signs(at_.gradient, at_.signs);
    step(j, slot, at_.signs, 1, sign_of(for_bias));
  }

  static int sign_of(Real value) { return (value > 0) - (value < 0); }

  void step(std::size_t j, std::uint32_t slot, const std::int8_t* signs, int sign, int bias) const {
    if (ops_.add(j, slot, signs, sign)) {
      __atomic_fetch_add(&store_.class_clipped[slot], 1, __ATOMIC_RELAXED);
    }
    store_.counts[shape_.row(j, slot)] += bias;
  }

  const StoreView& store_;
  const StoreShape& shape_;
  const SeedBuffers<Real>& at_;
  const Ops& ops_;
  Real learning_rate_;
  Real tau_;
};

}  // namespace jackdaw
