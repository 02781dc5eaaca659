// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile seed on the CPU: SeedStep in float on the machine's loops.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/door.hpp"
#include "core/tanh32.hpp"
#include "cpu/cpu_ensemble.hpp"
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

  std::byte* row(std::size_t j, std::size_t c) const {
    return static_cast<std::byte*>(store.rows) +
           store.shape.row(j, c) * store.shape.stride * element_bytes(settings.store);
  }
  std::size_t type() const { return static_cast<std::size_t>(settings.store); }

  const float* example(std::size_t b) const {
    return static_cast<const float*>(scratch.examples) + b * store.shape.stride;
  }
  void top_k(const float* similarity, std::uint32_t* chosen) const {
    loops.sortables(similarity, store.shape.classifiers, scratch.order);
    loops.top_k(scratch.order, store.shape.classifiers, store.shape.nearest, scratch.candidates,
                chosen);
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
    const FloatOps ops{settings_, store_, loops_, s};
    const SeedBuffers<float> buffers{static_cast<float*>(s.similarities),
                                     s.chosen,
                                     s.weights,
                                     s.dots,
                                     s.answers,
                                     s.query,
                                     reinterpret_cast<std::int8_t*>(s.whitened),
                                     s.example_signs,
                                     s.next,
                                     s.head};
    return use(SeedStep<FloatOps>(settings_, store_, buffers, ops));
  }

 public:
  SeedCpuEnsemble(const EnsembleSettings& settings, const Primitives& loops)
      : CpuEnsemble(settings, loops, {}) {}

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

  Status teach_batch(Span<const std::byte> examples,
                     Span<const std::uint32_t> slots) noexcept override {
    if (examples.size() != slots.size() * example_bytes_) return Status::kWrongSize;
    const std::lock_guard<std::mutex> teaching(teaching_);
    for (const std::uint32_t slot : slots) {
      if (!open(slot)) return Status::kNoSuchClass;
    }
    std::uint32_t batch = 0;
    if (!load(examples, teacher_, batch)) return Status::kWrongSize;
    choose(teacher_, batch);
    with_step(teacher_, [&](const auto& step) { step.prepare(batch); });
    const std::lock_guard<AnswerLock> writing(rows_);
    in_ranges(teacher_, settings_.classifiers,
              [&](const ScratchView& own, std::uint32_t first, std::uint32_t count) {
                ScratchView scratch = teacher_;
                scratch.query = own.query;
                scratch.whitened = own.whitened;
                with_step(scratch, [&](const auto& step) {
                  step.teach(batch, slots.data(), first, first + count);
                });
              });
    with_step(teacher_, [&](const auto& step) { step.count(batch, slots.data()); });
    return Status::kOk;
  }

  Status refresh() noexcept override { return Status::kOk; }

 protected:
  void compare(const ScratchView& scratch, std::uint32_t batch, std::uint32_t first,
               std::uint32_t count) noexcept override {
    const std::size_t stride = store_.shape.stride;
    loops_.similarities_f32(store_.keys_f32 + first * stride, count, stride,
                            static_cast<const float*>(scratch.examples), batch,
                            static_cast<float*>(scratch.similarities) + first,
                            store_.shape.classifiers);
  }

  void select(const ScratchView& scratch, std::uint32_t batch) noexcept override {
    with_step(scratch, [&](const auto& step) { step.select(batch); });
  }

  Status answer(const ScratchView& scratch, std::uint32_t batch,
                ClassScore* scores) noexcept override {
    const Status status =
        with_step(scratch, [&](const auto& step) { return step.answer(batch, slots_); });
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t c = 0; c < slots_; ++c) {
        const float score = scratch.answers[b * settings_.max_classes + c];
        scores[b * settings_.max_classes + c] = {score, std::isfinite(score) ? 1.0F : 0.0F};
      }
    }
    return status;
  }

  void start_class(std::uint32_t slot) noexcept override {
    auto* steps = static_cast<std::int32_t*>(static_cast<void*>(teacher_.query));
    for (std::uint32_t j = 0; j < store_.shape.classifiers; ++j) {
      draw_initial_row(settings_, j, slot, {steps, settings_.dimensions});
      const std::lock_guard<AnswerLock> writing(rows_);  // row by row: drawing takes long
      std::byte* to = row(j, slot);
      for (std::size_t i = 0; i < settings_.dimensions; ++i) put(to, i, steps[i]);
    }
  }

  void derive(std::uint32_t /*slot*/) noexcept override {}

 private:
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
