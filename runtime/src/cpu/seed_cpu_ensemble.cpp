// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile seed on the CPU: SeedStep in float on the machine's loops.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <shared_mutex>

#include "core/door.hpp"
#include "core/tanh32.hpp"
#include "cpu/cpu_ensemble.hpp"
#include "cpu/key_search.hpp"
#include "cpu/profiles.hpp"
#include "cpu/seed_rule.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw {
namespace {

struct FloatOps {
  using Real = float;

  const EnsembleSettings& settings;
  const StoreView& store;
  const Primitives& loops;
  const ScratchView& scratch;
  std::size_t row_bytes;

  std::byte* row(std::size_t j, std::size_t c) const {
    return static_cast<std::byte*>(store.rows) + store.shape.row(j, c) * row_bytes;
  }
  std::size_t type() const { return static_cast<std::size_t>(settings.store); }

  const float* example(std::size_t b) const {
    return static_cast<const float*>(scratch.examples) + b * store.shape.stride;
  }
  float dot(const float* x, std::size_t j, std::size_t c) const {
    float out = 0.0F;
    loops.dot_rows[type()](x, row(j, c), nullptr, 1, store.shape.stride, &out);
    return out;
  }
  void dots(const float* x, std::size_t j, std::uint32_t slots, float* out) const {
    loops.dot_rows[type()](x, row(j, 0), nullptr, slots, store.shape.stride, out);
  }
  bool add(std::size_t j, std::size_t c, const std::int8_t* delta, int sign) const {
    return loops.add_row[type()](row(j, c), delta, sign, store.shape.stride);
  }
  float tanh(float value) const { return tanh32(value); }
  void axpy(float a, const float* x, float* y) const { loops.axpy(a, x, store.shape.stride, y); }
  void signs(const float* x, std::int8_t* out) const { loops.signs(x, store.shape.stride, out); }
};

class SeedCpuEnsemble final : public CpuEnsemble {
  template <class Use>
  auto with_step(const ScratchView& s, const Use& use) const {
    const FloatOps ops{settings_, store_, loops_, s, row_bytes_};
    const SeedBuffers<float> buffers{s.chosen,        s.weights,
                                     s.dots,          s.answers,
                                     s.query,         reinterpret_cast<std::int8_t*>(s.whitened),
                                     s.example_signs, s.totals,
                                     s.next,          s.head};
    return use(SeedStep<FloatOps>(settings_, store_, buffers, ops));
  }

 public:
  SeedCpuEnsemble(const EnsembleSettings& settings, const Primitives& loops)
      : CpuEnsemble(settings, loops, {}),
        search_{store_, loops_, packed_keys_, 0.0F, 0.0F},
        changes_(settings.max_classes, 1),
        stale_(settings.max_classes) {
    const auto [least, most] = std::minmax_element(
        store_.inverse_lengths, store_.inverse_lengths + store_.shape.classifiers);
    search_.least_inverse = *least;
    search_.most_inverse = *most;
  }

  Status check(Span<const std::byte> example, std::uint32_t slot) noexcept override {
    const std::lock_guard<std::mutex> teaching(teaching_);
    std::uint32_t batch = 0;
    if (example.size() != example_bytes_ || !load(example, teacher_, batch))
      return Status::kWrongSize;
    if (!open(slot)) return Status::kNoSuchClass;
    choose(teacher_, 1);
    return with_step(teacher_, [](const auto& step) {
      return step.total(0) > 0 ? Status::kOk : Status::kNoSimilarity;
    });
  }

  Status teach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override {
    return change(example, slot, part, 1);
  }
  Status unteach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override {
    return change(example, slot, part, -1);
  }

  // Examples of one class are put next to each other: different classes have different rows, so
  // threads that take whole classes need not wait for each other. Where too much is of one class,
  // they share the examples for the search and then the classifiers.
  Status teach_batch(Span<const std::byte> examples,
                     Span<const std::uint32_t> slots) noexcept override {
    if (slots.empty() || slots.size() > settings_.max_batch ||
        examples.size() != slots.size() * example_bytes_) {
      return Status::kWrongSize;
    }
    const std::lock_guard<std::mutex> teaching(teaching_);
    for (const std::uint32_t slot : slots) {
      if (!open(slot)) return Status::kNoSuchClass;
    }
    load_by_class(examples, slots);
    const auto batch = static_cast<std::uint32_t>(slots.size());
    if (!teach_classes(batch)) teach_classifiers(batch);
    with_step(teacher_, [&](const auto& step) { step.count(batch, teacher_.slots); });
    const std::lock_guard<AnswerLock> writing(rows_);
    for (const std::uint32_t slot : slots) ++changes_[slot];
    return Status::kOk;
  }

  Status refresh() noexcept override { return Status::kOk; }

 protected:
  void find_nearest(const ScratchView& scratch, std::uint32_t batch) noexcept override {
    search_.compare(scratch, batch);
    for (std::uint32_t b = 0; b < batch; ++b) search_.select(scratch, b);
    with_step(scratch, [&](const auto& step) { step.add_up(batch); });
  }

  Status answer_prepared(const PreparedView& questions, Span<ClassScore> scores) noexcept override {
    const std::shared_lock<AnswerLock> reading = lock_for_answer();
    std::size_t stale = 0;
    for (std::uint32_t c = 0; c < slots_; ++c) {
      if (questions.kept == nullptr || questions.kept_at[c] != changes_[c]) stale_[stale++] = c;
    }
    std::atomic<std::uint32_t> rooms{0};
    std::atomic<Status> worst{Status::kOk};
    in_ranges(
        questions.scratch, questions.count,
        [&](const ScratchView&, std::uint32_t first, std::uint32_t count) {
          PreparedView part = questions;
          part.first += first;
          part.count = count;
          ClassScore* out = scores.data() + std::size_t{first} * settings_.max_classes;
          const Status s = answer_part(part, {stale_.data(), stale}, questions.room(rooms++), out);
          if (s != Status::kOk) worst.store(s);
        });
    if (questions.kept != nullptr) {
      std::copy_n(changes_.data(), settings_.max_classes, questions.kept_at);
    }
    return worst.load();
  }

  Status answer(const ScratchView& scratch, std::uint32_t batch,
                ClassScore* scores) noexcept override {
    const Status status =
        with_step(scratch, [&](const auto& step) { return step.answer(batch, slots_); });
    for (std::size_t b = 0; b < batch; ++b) {
      copy_scores(scratch.answers + b * settings_.max_classes, scores + b * settings_.max_classes);
    }
    return status;
  }

  void start_class(std::uint32_t slot) noexcept override {
    {
      const std::lock_guard<AnswerLock> writing(rows_);
      ++changes_[slot];
    }
    auto* steps = static_cast<std::int32_t*>(static_cast<void*>(teacher_.query));
    for (std::uint32_t j = 0; j < store_.shape.classifiers; ++j) {
      draw_initial_row(settings_, j, slot, {steps, settings_.dimensions});
      const std::lock_guard<AnswerLock> writing(rows_);  // row by row: drawing takes long
      std::byte* to = row(j, slot);
      for (std::size_t i = 0; i < settings_.dimensions; ++i) put(to, i, steps[i]);
    }
  }

  void derive(std::uint32_t slot) noexcept override { ++changes_[slot]; }

 private:
  KeySearch search_;

  // How often each class was changed since the start, from 1 on: what prepared questions go by.
  std::vector<std::uint64_t> changes_;
  std::vector<std::uint32_t> stale_;  // room for a list of slots

  // The group's scratch is shared by the threads, each of which has its own part of the answers.
  Status answer_part(const PreparedView& q, Span<const std::uint32_t> stale, float* room,
                     ClassScore* scores) noexcept {
    const std::size_t stride = store_.shape.stride, classes = settings_.max_classes;
    const auto* examples = static_cast<const float*>(q.scratch.examples);
    ScratchView group = q.scratch;
    if (q.kept != nullptr) group.answers = q.kept;
    for (std::size_t b = q.first; b < q.first + q.count; ++b) {
      for (const std::uint32_t c : stale) group.answers[b * classes + c] = 0.0F;
    }
    with_step(group, [&](const auto& step) {
      by_classifier(
          q, stale, room, [&](std::size_t b) { return examples + b * stride; },
          [&](std::size_t, std::size_t place, const float* dots) {
            step.add_dots(q.scratch.chosen[place], place, stale, dots);
          });
    });
    Status status = Status::kOk;
    const ScratchView own = slice(group, group, settings_, q.first);
    with_step(own, [&](const auto& step) {
      step.add_up(q.count);
      status = step.finish_answers(q.count, stale);
    });
    for (std::size_t b = 0; b < q.count; ++b) {
      ClassScore* out = scores + b * classes;
      copy_scores(own.answers + b * classes, out);
      std::fill(out + slots_, out + classes,
                ClassScore{-std::numeric_limits<float>::infinity(), 0.0F});
    }
    return status;
  }

  void copy_scores(const float* answers, ClassScore* scores) const noexcept {
    for (std::size_t c = 0; c < slots_; ++c) {
      scores[c] = {answers[c], std::isfinite(answers[c]) ? 1.0F : 0.0F};
    }
  }

  void load_by_class(Span<const std::byte> examples, Span<const std::uint32_t> slots) noexcept {
    std::size_t at = 0;
    for (std::size_t b = 0; b < slots.size(); ++b) {
      if (std::find(slots.begin(), slots.begin() + b, slots[b]) != slots.begin() + b) continue;
      for (std::size_t same = b; same < slots.size(); ++same) {
        if (slots[same] != slots[b]) continue;
        load_one(examples.data() + same * example_bytes_, teacher_, at);
        teacher_.slots[at++] = slots[b];
      }
    }
  }

  // Where one class ends and the next begins, near the start of a thread's equal share.
  std::uint32_t start_of_part(std::uint32_t batch, std::uint32_t part) const noexcept {
    const std::uint32_t* slots = teacher_.slots;
    const std::uint32_t even = batch * part / pool_.threads();
    std::uint32_t before = even;
    std::uint32_t after = even;
    while (before > 0 && before < batch && slots[before] == slots[before - 1]) --before;
    while (after > 0 && after < batch && slots[after] == slots[after - 1]) ++after;
    return even - before < after - even ? before : after;
  }

  // False, and nothing was done, if one thread would have most of the work.
  bool teach_classes(std::uint32_t batch) noexcept {
    const std::uint32_t parts = pool_.threads();
    for (std::uint32_t part = 0; parts > 1 && part < parts; ++part) {
      const std::uint32_t count = start_of_part(batch, part + 1) - start_of_part(batch, part);
      if (count * parts > 3 * batch / 2) return false;
    }
    const std::lock_guard<AnswerLock> writing(rows_);
    const auto use_part = [&](std::uint32_t part) {
      const std::uint32_t first = start_of_part(batch, part);
      const std::uint32_t count = start_of_part(batch, part + 1) - first;
      const ScratchView own = part == 0 ? teacher_ : worker(part);
      if (count > 0) teach_part(slice(teacher_, own, settings_, first), count);
    };
    if (parts == 1) {
      use_part(0);
      return true;
    }
    return pool_.run(parts, use_part);
  }

  // Class by class: its rows are on their way while the rest of its examples look for theirs.
  void teach_part(const ScratchView& part, std::uint32_t count) noexcept {
    search_.compare(part, count);
    for (std::uint32_t first = 0, end = 0; first < count; first = end) {
      const std::uint32_t slot = part.slots[first];
      while (end < count && part.slots[end] == slot) ++end;
      const ScratchView of_class = slice(part, part, settings_, first);
      with_step(of_class, [&](const auto& step) {
        for (std::uint32_t b = 0; b < end - first; ++b) {
          search_.select(of_class, b);
          for (std::size_t r = 0; r < settings_.nearest; ++r) {
            prefetch_row(of_class.chosen[b * settings_.nearest + r], slot);
          }
        }
        step.add_up(end - first);
        step.prepare(end - first);
        step.teach(end - first, of_class.slots, 0, settings_.classifiers);
      });
    }
  }

  void prefetch_row(std::size_t j, std::size_t slot) const noexcept {
    constexpr int kIntoSecondLevel = 2;
    const std::byte* at = row(j, slot);
    for (std::size_t line = 0; line < row_bytes_; line += 64) {
      __builtin_prefetch(at + line, 0, kIntoSecondLevel);
    }
  }

  void teach_classifiers(std::uint32_t batch) noexcept {
    in_parts(teacher_, batch, [&](const ScratchView& part, std::uint32_t, std::uint32_t count) {
      find_nearest(part, count);
      with_step(part, [&](const auto& step) { step.prepare(count); });
    });
    const std::lock_guard<AnswerLock> writing(rows_);
    in_ranges(teacher_, settings_.classifiers,
              [&](const ScratchView& own, std::uint32_t first, std::uint32_t count) {
                ScratchView scratch = teacher_;
                scratch.query = own.query;
                scratch.whitened = own.whitened;
                with_step(scratch, [&](const auto& step) {
                  step.teach(batch, teacher_.slots, first, first + count);
                });
              });
  }

  void put(std::byte* row, std::size_t i, std::int32_t value) const noexcept {
    switch (settings_.store) {
      case StoreType::kInt16: {
        const auto element = static_cast<std::int16_t>(value);
        std::memcpy(row + i * 2, &element, 2);
        break;
      }
      case StoreType::kHalf: {
        const Half element = to_half(static_cast<float>(value));
        std::memcpy(row + i * 2, &element, 2);
        break;
      }
      case StoreType::kInt32:
        std::memcpy(row + i * 4, &value, 4);
        break;
    }
  }

  Status change(Span<const std::byte> example, std::uint32_t slot, Part part, int sign) noexcept {
    if (example.size() != example_bytes_) return Status::kWrongSize;
    if (part == Part::kShared) return Status::kOk;  // this profile has no shared statistics
    const std::lock_guard<std::mutex> teaching(teaching_);
    std::uint32_t batch = 0;
    if (!load(example, teacher_, batch)) return Status::kWrongSize;
    if (!open(slot)) return Status::kNoSuchClass;
    if (sign < 0 && store_.class_counts[slot] == 0) return Status::kNothingToUndo;
    choose(teacher_, 1);
    return with_step(teacher_, [&](const auto& step) {
      if (!(step.total(0) > 0)) return Status::kNoSimilarity;
      const std::lock_guard<AnswerLock> writing(rows_);
      ++changes_[slot];
      step.teach_one(0, slot, sign);
      return Status::kOk;
    });
  }
};

}  // namespace

std::unique_ptr<Ensemble> make_seed_cpu_ensemble(const EnsembleSettings& settings,
                                                 const Primitives& loops) {
  return std::make_unique<SeedCpuEnsemble>(settings, loops);
}

std::unique_ptr<Ensemble> make_cpu_ensemble(const EnsembleSettings& settings,
                                            const Primitives& loops, Span<const std::int8_t> keys) {
  if (settings.profile == Profile::kDefault)
    return make_default_cpu_ensemble(settings, loops, keys);
  if (!keys.empty()) throw SettingsError("profile seed draws its own keys; give none");
  return make_seed_cpu_ensemble(settings, loops);
}

}  // namespace jackdaw
