// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/scratch.hpp"

#include "core/checked.hpp"
#include "core/store_view.hpp"
#include "jackdaw/memory_plan.hpp"

namespace jackdaw {
namespace {

constexpr std::uint64_t kScratchAlignment = 64;  // bytes, one cache line

// Hands out aligned pieces; with a null base it only counts.
class Cutter {
 public:
  explicit Cutter(std::byte* base) : base_(base) {}

  template <class T>
  T* take(std::uint64_t count) {
    const std::uint64_t bytes = checked_product("scratch", {count, sizeof(T)});
    T* at = base_ == nullptr ? nullptr : reinterpret_cast<T*>(base_ + used_);
    const std::uint64_t end = checked_sum("scratch", used_, bytes);
    used_ =
        checked_sum("scratch", end, kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
    return at;
  }

  std::uint64_t used() const { return used_; }

 private:
  std::byte* base_;
  std::uint64_t used_ = 0;
};

ScratchView cut(Cutter& cutter, const EnsembleSettings& s) {
  const std::uint64_t batch = s.max_batch;
  const std::uint64_t stride = padded(s.dimensions);
  const bool seed = s.profile == Profile::kSeed;
  ScratchView view;
  view.similarities = cutter.take<std::int32_t>(batch * s.classifiers);
  view.chosen = cutter.take<std::uint32_t>(batch * s.nearest);
  view.weights = cutter.take<float>(batch * s.nearest);
  view.examples = cutter.take<std::byte>(batch * stride * (seed ? sizeof(float) : 1));
  const std::uint64_t queries = seed ? 1 : kQueriesAtOnce;
  view.query = cutter.take<float>(queries * stride);
  view.whitened = cutter.take<float>(queries * stride);
  view.dots = cutter.take<float>(s.max_classes);
  view.sums = cutter.take<float>(s.max_classes);
  if (!seed) {
    view.lanes = cutter.take<float>(lane_floats(stride));
    return view;
  }
  view.high = cutter.take<std::int8_t>(batch * stride);
  view.low = cutter.take<std::int8_t>(batch * 3 * stride);
  view.multipliers = cutter.take<std::int32_t>(batch);
  view.rests = cutter.take<float>(batch);
  view.order = cutter.take<std::int32_t>(s.classifiers);
  view.candidates = cutter.take<std::uint32_t>(s.classifiers);
  view.low_similarities = cutter.take<std::int32_t>(3 * std::uint64_t{s.classifiers});
  view.next = cutter.take<std::int32_t>(batch * s.nearest);
  view.head = cutter.take<std::int32_t>(s.classifiers);
  view.answers = cutter.take<float>(batch * s.max_classes);
  view.example_signs = cutter.take<std::int8_t>(batch * stride);
  view.totals = cutter.take<float>(batch);
  view.slots = cutter.take<std::uint32_t>(batch);
  return view;
}

}  // namespace

std::uint64_t scratch_bytes(const EnsembleSettings& settings) {
  Cutter cutter(nullptr);
  cut(cutter, settings);
  return (cutter.used() + kSlabAlignment - 1) / kSlabAlignment * kSlabAlignment;
}

ScratchView slice(const ScratchView& whole, const ScratchView& own, const EnsembleSettings& s,
                  std::uint32_t first) noexcept {
  const std::size_t stride = padded(s.dimensions);
  const bool seed = s.profile == Profile::kSeed;
  ScratchView part = own;
  part.similarities = whole.similarities + std::size_t{first} * s.classifiers;
  part.chosen = whole.chosen + std::size_t{first} * s.nearest;
  part.weights = whole.weights + std::size_t{first} * s.nearest;
  part.examples =
      static_cast<std::byte*>(whole.examples) + first * stride * (seed ? sizeof(float) : 1);
  if (!seed) return part;
  part.high = whole.high + first * stride;
  part.low = whole.low + first * 3 * stride;
  part.multipliers = whole.multipliers + first;
  part.rests = whole.rests + first;
  part.next = whole.next + std::size_t{first} * s.nearest;
  part.answers = whole.answers + std::size_t{first} * s.max_classes;
  part.example_signs = whole.example_signs + first * stride;
  part.totals = whole.totals + first;
  part.slots = whole.slots + first;
  return part;
}

ScratchView scratch_at(std::byte* base, const EnsembleSettings& settings) noexcept {
  Cutter cutter(base);
  return cut(cutter, settings);
}

}  // namespace jackdaw
