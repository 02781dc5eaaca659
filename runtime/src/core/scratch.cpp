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
  view.order = cutter.take<std::int32_t>(s.classifiers);
  view.candidates = cutter.take<std::uint64_t>(s.classifiers);
  view.chosen = cutter.take<std::uint32_t>(batch * s.nearest);
  view.weights = cutter.take<float>(batch * s.nearest);
  view.examples = cutter.take<std::byte>(batch * stride * (seed ? sizeof(float) : 1));
  view.query = cutter.take<float>(stride);
  view.whitened = cutter.take<float>(stride);
  view.dots = cutter.take<float>(s.max_classes);
  view.sums = cutter.take<float>(s.max_classes);
  view.next = cutter.take<std::int32_t>(seed ? batch * s.nearest : 0);
  view.head = cutter.take<std::int32_t>(seed ? s.classifiers : 0);
  view.answers = cutter.take<float>(seed ? batch * s.max_classes : 0);
  view.example_signs = cutter.take<std::int8_t>(seed ? batch * stride : 0);
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
  const std::size_t stride =
      padded(s.dimensions) * (s.profile == Profile::kSeed ? sizeof(float) : 1);
  ScratchView part = own;
  part.similarities =
      static_cast<std::int32_t*>(whole.similarities) + std::size_t{first} * s.classifiers;
  part.chosen = whole.chosen + std::size_t{first} * s.nearest;
  part.weights = whole.weights + std::size_t{first} * s.nearest;
  part.next = whole.next + std::size_t{first} * s.nearest;
  part.answers = whole.answers + std::size_t{first} * s.max_classes;
  part.examples = static_cast<std::byte*>(whole.examples) + first * stride;
  return part;
}

ScratchView scratch_at(std::byte* base, const EnsembleSettings& settings) noexcept {
  Cutter cutter(base);
  return cut(cutter, settings);
}

}  // namespace jackdaw
