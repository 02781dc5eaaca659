// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile default on the CPU: when which lock is held, and the two whitenings that take turns.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <shared_mutex>
#include <vector>

#include "cpu/cpu_ensemble.hpp"
#include "cpu/default_rule.hpp"
#include "cpu/profiles.hpp"

namespace jackdaw {
namespace {

class DefaultCpuEnsemble final : public CpuEnsemble {
 public:
  DefaultCpuEnsemble(const EnsembleSettings& settings, const Primitives& loops,
                     Span<const std::int8_t> keys)
      : CpuEnsemble(settings, loops, keys), parts_{settings_, store_, loops_} {
    const std::size_t matrix = std::size_t{store_.shape.stride} * store_.shape.stride;
    for (std::size_t w = 0; w < 2; ++w) {
      inverse_[w] = slab_.at<float>("whitening") + w * matrix;
      whitener_[w].inverse = inverse_[w];
      whitener_[w].class_norms = slab_.at<float>("class norms") + w * settings_.max_classes;
      whitener_[w].pooled = &pooled_[w];
    }
    for (std::uint32_t c = 0; c < settings_.max_classes; ++c) all_slots_.push_back(c);
    static_cast<void>(refresh());
  }

  Status check(Span<const std::byte> example, std::uint32_t slot) noexcept override {
    const std::lock_guard<std::mutex> teaching(teaching_);
    if (example.size() != example_bytes_) return Status::kWrongSize;
    if (!open(slot)) return Status::kNoSuchClass;
    return fits(example) ? Status::kOk : Status::kCountersFull;
  }

  Status teach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override {
    return change(example, slot, part, 1);
  }

  Status unteach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override {
    return change(example, slot, part, -1);
  }

  Status teach_batch(Span<const std::byte> examples,
                     Span<const std::uint32_t> slots) noexcept override {
    if (slots.empty() || slots.size() > settings_.max_batch ||
        examples.size() != slots.size() * example_bytes_) {
      return Status::kWrongSize;
    }
    for (const std::uint32_t slot : slots) {
      if (class_count(slot) < 0) return Status::kNoSuchClass;
    }
    for (std::size_t b = 0; b < slots.size(); ++b) {
      const Status s =
          teach(examples.subspan(b * example_bytes_, example_bytes_), slots[b], Part::kBoth);
      if (s != Status::kOk) return s;
    }
    return Status::kOk;
  }

  Status refresh() noexcept override {
    const std::lock_guard<std::mutex> one_at_a_time(refreshing_);
    const std::size_t next = 1 - active_;
    auto* work = slab_.at<double>("refresh");
    auto* sums = slab_.at<std::int32_t>("refresh sums");
    auto* counts = slab_.at<std::int32_t>("refresh counts");
    const std::size_t stride = store_.shape.stride;
    WhiteningInput input{sums, counts, {}};
    {
      const std::lock_guard<std::mutex> teaching(teaching_);
      settle();
      load_scatter(store_.shape, store_.scatter, work);
      std::memcpy(sums, store_.class_sums, settings_.max_classes * stride * 4);
      std::memcpy(counts, store_.class_counts, settings_.max_classes * 4);
      input.retired = retired_;
    }
    WhitenerView& whitener = whitener_[next];
    compute_whitening(settings_, input, work, inverse_[next]);

    // The refresh matrix is free again: room for a query and its whitened form.
    ScratchView scratch;
    scratch.query = reinterpret_cast<float*>(work);
    scratch.whitened = scratch.query + stride;
    scratch.lanes = scratch.whitened + stride;
    for (std::size_t c = 0; c < settings_.max_classes; ++c) {
      whitener.class_norms[c] =
          default_rule::class_norm(parts_, whitener.inverse, scratch, sums + c * stride, counts[c]);
    }
    // What was taught meanwhile. Teaching waits for this, answers do not.
    const std::lock_guard<std::mutex> teaching(teaching_);
    for (std::size_t c = 0; c < settings_.max_classes; ++c) {
      const std::int32_t* live = store_.class_sums + c * stride;
      if (counts[c] == store_.class_counts[c] &&
          std::memcmp(sums + c * stride, live, stride * 4) == 0) {
        continue;
      }
      whitener.class_norms[c] =
          default_rule::class_norm(parts_, whitener.inverse, scratch, live, store_.class_counts[c]);
    }
    *whitener.pooled = pool_norms(settings_, whitener.class_norms, store_.class_counts, slots_);
    std::fill(stale_norms_.begin(), stale_norms_.end(), std::uint8_t{0});
    const std::lock_guard<AnswerLock> writing(rows_);
    active_ = next;
    stale_ = false;
    return Status::kOk;
  }

 protected:
  void find_nearest(const ScratchView& scratch, std::uint32_t batch) noexcept override {
    loops_.similarities(packed_keys_, store_.shape.classifiers, store_.shape.stride,
                        static_cast<const std::int8_t*>(scratch.examples), batch,
                        scratch.similarities, store_.shape.classifiers);
    default_rule::select(parts_, scratch, batch);
  }

  Status answer(const ScratchView& scratch, std::uint32_t batch,
                ClassScore* scores) noexcept override {
    const WhitenerView& whitener = whitener_[active_];
    const std::size_t k = settings_.nearest;
    for (std::uint32_t first = 0; first < batch; first += kQueriesAtOnce) {
      const std::uint32_t count = std::min<std::uint32_t>(kQueriesAtOnce, batch - first);
      default_rule::whiten(parts_, whitener, scratch, first, count, scratch.whitened);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t b = first + i;
        const float* whitened = scratch.whitened + std::size_t{i} * store_.shape.stride;
        ClassScore* out = scores + b * settings_.max_classes;
        default_rule::begin_answer(parts_, whitened, slots_, scratch.sums, out);
        for (std::size_t r = b * k; r < (b + 1) * k; ++r) {
          default_rule::read_rows(parts_, whitened, scratch.chosen[r], slots_, scratch.dots);
          default_rule::add_classifier(parts_, scratch.sums, scratch.chosen[r], scratch.weights[r],
                                       slots_, scratch.dots, out);
        }
        default_rule::finish_answer(parts_, whitener, slots_, out);
      }
    }
    return Status::kOk;
  }

  Status answer_prepared(const PreparedView& questions, Span<ClassScore> scores) noexcept override {
    const std::shared_lock<AnswerLock> reading = lock_for_answer();
    std::atomic<std::uint32_t> rooms{0};
    in_ranges(questions.scratch, questions.count,
              [&](const ScratchView&, std::uint32_t first, std::uint32_t count) {
                PreparedView part = questions;
                part.first += first;
                part.count = count;
                answer_part(part, questions.room(rooms++),
                            scores.data() + std::size_t{first} * settings_.max_classes);
              });
    return Status::kOk;
  }

  void start_class(std::uint32_t /*slot*/) noexcept override {}

  bool settled() const noexcept override { return !stale_; }

  // The norm of a class takes a pass over the inverse. In a burst of lessons one is enough, so it
  // is computed when somebody asks for an answer, or with the lessons that wait. Until stale_ is
  // false again no answer reads norms: no need for the lock before that.
  void settle_for_answers() noexcept override {
    if (!stale_) return;
    for (std::uint32_t slot = 0; slot < slots_; ++slot) {
      if (stale_norms_[slot] != 0) derive_norm(slot);
    }
    pool();
    const std::lock_guard<AnswerLock> writing(rows_);
    stale_ = false;
  }

  void settle() noexcept override {
    settle_for_answers();
    if (waiting_ == 0) return;
    if (waiting_ % 2 == 1) wait_with(waiting_, nullptr, 0);
    // Answers do not read the scatter: no need to keep them out.
    loops_.add_scatter(store_.scatter, lessons_, signs_, (waiting_ + 1) / 2, store_.shape.stride);
    waiting_ = 0;
  }

  void derive(std::uint32_t slot) noexcept override {
    derive_norm(slot);
    pool();
  }

 private:
  // In the same order for each example as answer() has it: classifiers ascend in both.
  void answer_part(const PreparedView& q, float* room, ClassScore* scores) noexcept {
    const WhitenerView& whitener = whitener_[active_];
    const std::size_t stride = store_.shape.stride;
    const std::size_t classes = settings_.max_classes;
    const std::uint32_t end = q.first + q.count;
    // So many that the matrix, which may not fit into the caches, is seldom read.
    const auto* examples = static_cast<const std::int8_t*>(q.scratch.examples);
    for (std::size_t i = q.first * stride; i < end * stride; ++i) {
      q.queries[i] = static_cast<float>(examples[i]);
    }
    for (std::size_t first = q.first; first < end; first += kTogether) {
      loops_.products(whitener.inverse, stride, q.queries + first * stride,
                      std::min<std::size_t>(kTogether, end - first), stride,
                      q.whitened + first * stride, stride);
    }
    for (std::uint32_t b = q.first; b < end; ++b) {
      default_rule::begin_answer(parts_, q.whitened + b * stride, slots_, q.sums + b * classes,
                                 scores + (b - q.first) * classes);
    }
    by_classifier(
        q, {all_slots_.data(), slots_}, room,
        [&](std::size_t b) { return q.whitened + b * stride; },
        [&](std::size_t b, std::size_t place, float* dots) {
          default_rule::add_classifier(parts_, q.sums + b * classes, q.scratch.chosen[place],
                                       q.scratch.weights[place], slots_, dots,
                                       scores + (b - q.first) * classes);
        });
    for (std::uint32_t b = 0; b < q.count; ++b) {
      ClassScore* out = scores + b * classes;
      default_rule::finish_answer(parts_, whitener, slots_, out);
      std::fill(out + slots_, out + classes,
                ClassScore{-std::numeric_limits<float>::infinity(), 0.0F});
    }
  }

  std::vector<std::uint32_t> all_slots_;                     // 0, 1, ...
  static constexpr std::int64_t kLargestSquare = 127 * 127;  // of one element of an example

  bool fits(Span<const std::byte> example) noexcept {
    constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();
    if (diagonal_bound_ + kLargestSquare <= kLimit) return true;
    settle();
    diagonal_bound_ = default_rule::largest_diagonal(parts_);
    return default_rule::fits(
        parts_, {reinterpret_cast<const std::int8_t*>(example.data()), example.size()});
  }

  void add_to_scatter(const std::int8_t* example, int sign) noexcept {
    wait_with(waiting_++, example, sign);
    if (waiting_ == kWaitingLessons) settle();
  }

  // Lesson number `at` of those that wait; without an example, one that changes nothing.
  void wait_with(std::uint32_t at, const std::int8_t* example, int sign) noexcept {
    const std::size_t stride = store_.shape.stride;
    std::int16_t* to = lessons_ + at / 2 * 2 * stride + at % 2;
    for (std::size_t i = 0; i < stride; ++i) to[2 * i] = example == nullptr ? 0 : example[i];
    signs_[at] = sign;
  }

  Status change(Span<const std::byte> bytes, std::uint32_t slot, Part part, int sign) noexcept {
    const std::lock_guard<std::mutex> teaching(teaching_);
    std::uint32_t batch = 0;
    if (bytes.size() != example_bytes_ || !load(bytes, teacher_, batch)) return Status::kWrongSize;
    const auto* example = static_cast<const std::int8_t*>(teacher_.examples);
    const bool of_class = part != Part::kShared;
    const bool shared = part != Part::kClass;
    if (of_class && !open(slot)) return Status::kNoSuchClass;
    if (of_class && sign < 0 && store_.class_counts[slot] == 0) return Status::kNothingToUndo;
    if (shared && sign > 0 && !fits(bytes)) return Status::kCountersFull;

    if (shared) {
      add_to_scatter(example, sign);
      diagonal_bound_ += sign > 0 ? kLargestSquare : 0;
    }
    if (!of_class) return Status::kOk;
    choose(teacher_, 1);
    default_rule::prefetch_rows(parts_, teacher_, slot);
    const std::lock_guard<AnswerLock> writing(rows_);
    default_rule::change_class(parts_, teacher_, slot, sign);
    stale_norms_[slot] = 1;
    stale_ = true;
    return Status::kOk;
  }

  void derive_norm(std::uint32_t slot) noexcept {
    WhitenerView& whitener = whitener_[active_];
    whitener.class_norms[slot] = default_rule::class_norm(
        parts_, whitener.inverse, teacher_,
        store_.class_sums + std::size_t{slot} * store_.shape.stride, store_.class_counts[slot]);
    stale_norms_[slot] = 0;
  }

  void pool() noexcept {
    WhitenerView& whitener = whitener_[active_];
    *whitener.pooled = pool_norms(settings_, whitener.class_norms, store_.class_counts, slots_);
  }

  const default_rule::Parts parts_;
  float* inverse_[2] = {};
  WhitenerView whitener_[2];
  Pooled pooled_[2];
  std::int16_t* const lessons_ = slab_.at<std::int16_t>("lessons");
  int signs_[kWaitingLessons] = {};
  std::uint32_t waiting_ = 0;  // lessons that the scatter matrix has not got yet
  std::vector<std::uint8_t> stale_norms_ = std::vector<std::uint8_t>(settings_.max_classes);
  bool stale_ = false;      // any of them; written under teaching_ and rows_, read under either
  std::size_t active_ = 0;  // written under teaching_ and rows_, read under either
  std::mutex refreshing_;
};

}  // namespace

std::unique_ptr<Ensemble> make_default_cpu_ensemble(const EnsembleSettings& settings,
                                                    const Primitives& loops,
                                                    Span<const std::int8_t> keys) {
  return std::make_unique<DefaultCpuEnsemble>(settings, loops, keys);
}

}  // namespace jackdaw
