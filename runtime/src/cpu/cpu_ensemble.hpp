// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CPU backend: the store in one slab of host memory. It is the specification of every other
// backend; with the plain table of loops it is the specification of the fast ones, too.

#include <algorithm>
#include <memory>
#include <mutex>

#include "core/scratch.hpp"
#include "core/slab.hpp"
#include "core/store_view.hpp"
#include "core/whitening.hpp"
#include "cpu/answer_lock.hpp"
#include "cpu/batch_pool.hpp"
#include "cpu/primitives.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw {

// Some of the questions that were prepared (see cpu/cpu_questions.hpp).
struct PreparedView {
  std::uint32_t first = 0, count = 0;    // which, within the group
  std::uint32_t group = 0;               // how many questions the group has
  ScratchView scratch;                   // examples, chosen, weights of the whole group, and room
  const std::uint32_t* order = nullptr;  // [group*k]: places in `chosen` by classifier, ascending
  float* queries = nullptr;              // [group][stride] profile default: x as float
  float* whitened = nullptr;             // [group][stride] profile default: P x
  float* sums = nullptr;                 // [group][max_classes] profile default
  // For each thread: rows of a classifier as floats, some queries, and their products.
  float* rooms = nullptr;
  std::size_t room_floats = 0;

  // Profile seed, where a class's answers depend on its own rows only: the last answers and, for
  // each class, the number of its changes then. Null unless the view is a whole group.
  float* kept = nullptr;             // [group][max_classes]
  std::uint64_t* kept_at = nullptr;  // [max_classes]

  float* room(std::uint32_t thread) const noexcept { return rooms + thread * room_floats; }
};

constexpr std::size_t kTogether = 32;  // queries of one classifier at a time

constexpr std::size_t room_floats(std::size_t stride, std::size_t max_classes) noexcept {
  return (max_classes + kTogether) * stride + kTogether * max_classes;
}

class CpuEnsemble : public Ensemble {
 public:
  CpuEnsemble(const EnsembleSettings& settings, const Primitives& loops,
              Span<const std::int8_t> keys);

  const EnsembleSettings& settings() const noexcept override { return settings_; }
  const MemoryPlan& plan() const noexcept override { return plan_; }
  std::string backend() const override { return std::string("cpu ") + loops_.name; }

  std::size_t example_bytes() const noexcept override { return example_bytes_; }
  Status admit(Span<const float> embedding, Span<std::byte> example) const noexcept override;
  Status admit_batch(Span<const float> embeddings, Span<std::byte> examples) noexcept override;

  Status open_class(std::uint32_t& slot) noexcept override;
  Status open_slot(std::uint32_t slot) noexcept override;
  Status close_class(std::uint32_t slot) noexcept override;
  Status empty_slot(std::uint32_t slot) noexcept override;
  Status retire(Span<const std::int32_t> sums, std::int32_t count) noexcept override;
  Status class_sums(std::uint32_t slot, Span<std::int32_t> sums) noexcept override;
  std::int32_t class_count(std::uint32_t slot) const noexcept override;
  std::int32_t class_clipped(std::uint32_t slot) const noexcept override;

  Status predict(std::uint32_t context, Span<const std::byte> example,
                 Span<ClassScore> scores) noexcept override;
  Status predict_batch(std::uint32_t context, Span<const std::byte> examples,
                       Span<ClassScore> scores) noexcept override;
  std::unique_ptr<Questions> prepare(Span<const std::byte> examples) override;
  Status nearest(std::uint32_t context, Span<const std::byte> example,
                 Span<std::uint32_t> chosen) noexcept override;

  std::size_t class_section_bytes() const noexcept override;
  Status export_class(std::uint32_t slot, Span<std::byte> section) noexcept override;
  Status import_class(std::uint32_t slot, Span<const std::byte> section) noexcept override;
  std::size_t shared_section_bytes() const noexcept override;
  Status export_shared(Span<std::byte> section) noexcept override;
  Status import_shared(Span<const std::byte> section) noexcept override;
  Span<const std::byte> keys() const noexcept override { return slab_.section("keys"); }
  Span<std::byte> undo_memory() noexcept override { return slab_.section("undo ring"); }

 protected:
  bool open(std::uint32_t slot) const noexcept {
    return slot < settings_.max_classes && store_.class_counts[slot] >= 0;
  }
  // Copies examples into the scratch, padded. False if their size is not a whole batch.
  bool load(Span<const std::byte> examples, const ScratchView& scratch,
            std::uint32_t& batch) noexcept;
  void load_one(const std::byte* example, const ScratchView& scratch, std::size_t b) const noexcept;
  // The nearest keys of each example and how much each has to say.
  virtual void find_nearest(const ScratchView& scratch, std::uint32_t batch) noexcept = 0;
  // Scores for prepared questions; `chosen` and `weights` are theirs. Under no lock.
  virtual Status answer_prepared(const PreparedView& questions,
                                 Span<ClassScore> scores) noexcept = 0;
  // Scores of the chosen in slots [0, slots_): scores[b*max_classes + slot]. Under the shared lock.
  virtual Status answer(const ScratchView& scratch, std::uint32_t batch,
                        ClassScore* scores) noexcept = 0;
  void choose(const ScratchView& scratch, std::uint32_t batch) noexcept;
  Status answer_chosen(const ScratchView& scratch, std::uint32_t batch,
                       Span<ClassScore> scores) noexcept;
  // Holds the rows still, in a state in which nothing is left for later.
  std::shared_lock<AnswerLock> lock_for_answer() noexcept;
  // Fills a slot that is being opened.
  virtual void start_class(std::uint32_t slot) noexcept = 0;
  // What lessons left for later, all of it: whoever holds teaching_ for long, or reads what is
  // shared, calls this first.
  virtual void settle() noexcept {}
  // The part of it that answers need; they wait until settled() is true. Under teaching_; settled()
  // under teaching_ or rows_.
  virtual void settle_for_answers() noexcept {}
  virtual bool settled() const noexcept { return true; }
  // After a class came or went as a whole: what is derived from its statistics.
  virtual void derive(std::uint32_t slot) noexcept = 0;
  // Calls use(own, first, count) for consecutive parts of [0, total), in as many threads as the
  // settings allow. own: scratch of which each part has its own arrays for one example at a time.
  template <class Use>
  void in_ranges(const ScratchView& whole, std::uint32_t total, const Use& use) noexcept {
    constexpr std::uint32_t kWorthwhile = 4;
    const std::uint32_t parts = std::min(pool_.threads(), (total + kWorthwhile - 1) / kWorthwhile);
    const auto use_part = [&](std::uint32_t part) {
      const std::uint32_t first = total * part / parts;
      const std::uint32_t count = total * (part + 1) / parts - first;
      use(part == 0 ? whole : worker(part), first, count);
    };
    if (parts <= 1 || !pool_.run(parts, use_part)) use(whole, 0, total);
  }
  // The same for parts of a batch: use(scratch, first, count) sees its examples as 0 .. count-1.
  template <class Use>
  void in_parts(const ScratchView& whole, std::uint32_t batch, const Use& use) noexcept {
    in_ranges(whole, batch, [&](const ScratchView& own, std::uint32_t first, std::uint32_t count) {
      use(slice(whole, own, settings_, first), first, count);
    });
  }
  // For the questions of a view, classifier by classifier, ascending: use(b, place, dots) with the
  // question's place in `chosen` and dots[i] = query(b) . row of slots[i]. A classifier's rows are
  // made floats once for all of its questions. Under rows_.
  template <class Query, class Use>
  void by_classifier(const PreparedView& q, Span<const std::uint32_t> slots, float* room,
                     const Query& query, const Use& use) noexcept {
    const std::size_t stride = store_.shape.stride, k = settings_.nearest;
    float* queries = room + settings_.max_classes * stride;
    float* dots = queries + kTogether * stride;
    const std::uint32_t* const end = q.order + std::size_t{q.group} * k;
    std::uint32_t places[kTogether];
    for (const std::uint32_t* at = q.order; at != end;) {
      const std::uint32_t j = q.scratch.chosen[*at];
      bool unpacked = false;
      while (at != end && q.scratch.chosen[*at] == j) {
        std::size_t held = 0;
        for (; at != end && q.scratch.chosen[*at] == j && held < kTogether; ++at) {
          const std::size_t b = *at / k;
          if (b < q.first || b >= q.first + q.count) continue;
          std::copy_n(query(b), stride, queries + held * stride);
          places[held++] = *at;
        }
        if (held == 0) continue;
        for (std::size_t i = 0; !unpacked && i < slots.size(); ++i) {
          loops_.unpack[static_cast<std::size_t>(settings_.store)](row(j, slots[i]), stride,
                                                                   room + i * stride);
        }
        unpacked = true;
        loops_.products(room, slots.size(), queries, held, stride, dots, settings_.max_classes);
        for (std::size_t i = 0; i < held; ++i) {
          use(places[i] / k, places[i], dots + i * settings_.max_classes);
        }
      }
    }
  }
  std::byte* row(std::size_t j, std::size_t slot) const noexcept {
    return static_cast<std::byte*>(store_.rows) + store_.shape.row(j, slot) * row_bytes_;
  }

  const EnsembleSettings settings_;
  const MemoryPlan plan_;
  const Primitives& loops_;
  Slab slab_;
  StoreView store_;
  const std::int8_t* packed_keys_;  // the keys once more, by loops_.pack_keys
  ScratchView teacher_;
  std::size_t example_bytes_;
  std::size_t row_bytes_;
  std::uint32_t slots_ = 0;  // one more than the highest slot ever open
  Retired retired_;
  // No entry of the scatter's diagonal is larger: most lessons need not look at all of them.
  std::int64_t diagonal_bound_ = 0;
  BatchPool pool_;

  // Locks are taken in this order. teaching_ serialises everything that changes the store; rows_
  // keeps answers out only while rows and counts are being written.
  mutable std::mutex teaching_;
  mutable AnswerLock rows_;

  ScratchView worker(std::uint32_t part) const noexcept;  // part 1 and up

 private:
  friend class CpuQuestions;
  ScratchView context(std::uint32_t index) const noexcept;
  void clear_slot(std::uint32_t slot) noexcept;
};

// One of the two profiles.
std::unique_ptr<Ensemble> make_cpu_ensemble(const EnsembleSettings& settings,
                                            const Primitives& loops = best_primitives(),
                                            Span<const std::int8_t> keys = {});

}  // namespace jackdaw
