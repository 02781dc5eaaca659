// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu/cpu_questions.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr std::size_t kAlignment = 64;  // bytes, of scratch

}  // namespace

CpuQuestions::CpuQuestions(CpuEnsemble& ensemble, Span<const std::byte> examples)
    : ensemble_(ensemble),
      sizes_(ensemble.settings()),
      count_(examples.size() / ensemble.example_bytes()) {
  if (count_ * ensemble.example_bytes() != examples.size()) {
    throw SettingsError("examples: not a whole number of them");
  }
  const std::size_t stride = ensemble_.store_.shape.stride;
  const std::size_t padded_bytes = ensemble_.example_bytes_ / sizes_.dimensions * stride;
  sizes_.max_batch = static_cast<std::uint32_t>(kGroup);
  examples_.resize(count_ * padded_bytes);
  chosen_.resize(count_ * sizes_.nearest);
  weights_.resize(count_ * sizes_.nearest);
  scratch_.resize(scratch_bytes(sizes_) + kAlignment);
  if (sizes_.profile == Profile::kDefault) {
    queries_.resize(kGroup * stride);
    whitened_.resize(kGroup * stride);
    sums_.resize(kGroup * sizes_.max_classes);
  }
  if (sizes_.profile == Profile::kSeed) {
    kept_.resize(count_ * sizes_.max_classes);
    kept_at_.resize((count_ + kGroup - 1) / kGroup * sizes_.max_classes, 0);
  }
  rooms_.resize(sizes_.batch_threads * room_floats(stride, sizes_.max_classes));
  find_choices(examples);
  sort_choices();
}

void CpuQuestions::find_choices(Span<const std::byte> examples) {
  const ScratchView scratch = ensemble_.context(0);
  const std::size_t bytes = ensemble_.example_bytes_;
  const std::size_t k = sizes_.nearest;
  const std::size_t padded_bytes = count_ == 0 ? 0 : examples_.size() / count_;
  const std::size_t most = ensemble_.settings_.max_batch;
  for (std::size_t first = 0; first < count_; first += most) {
    std::uint32_t batch = 0;
    const std::size_t count = std::min(most, count_ - first);
    ensemble_.load(examples.subspan(first * bytes, count * bytes), scratch, batch);
    ensemble_.choose(scratch, batch);
    std::memcpy(examples_.data() + first * padded_bytes, scratch.examples, count * padded_bytes);
    std::copy_n(scratch.chosen, count * k, chosen_.data() + first * k);
    std::copy_n(scratch.weights, count * k, weights_.data() + first * k);
  }
}

// Within a group; a classifier's questions stay in their own order.
void CpuQuestions::sort_choices() {
  const std::size_t k = sizes_.nearest;
  order_.resize(chosen_.size());
  for (std::size_t start = 0; start < count_; start += kGroup) {
    const std::size_t places = std::min(kGroup, count_ - start) * k;
    const std::uint32_t* chosen = chosen_.data() + start * k;
    std::uint32_t* order = order_.data() + start * k;
    std::iota(order, order + places, 0U);
    std::stable_sort(order, order + places,
                     [&](std::uint32_t a, std::uint32_t b) { return chosen[a] < chosen[b]; });
  }
}

PreparedView CpuQuestions::group(std::size_t start) noexcept {
  const std::size_t k = sizes_.nearest;
  void* base = scratch_.data();
  std::size_t room = scratch_.size();
  std::align(kAlignment, 1, base, room);
  PreparedView view;
  view.group = static_cast<std::uint32_t>(std::min(kGroup, count_ - start));
  view.scratch = scratch_at(static_cast<std::byte*>(base), sizes_);
  view.scratch.examples = examples_.data() + start * (examples_.size() / count_);
  view.scratch.chosen = chosen_.data() + start * k;
  view.scratch.weights = weights_.data() + start * k;
  view.order = order_.data() + start * k;
  view.queries = queries_.data();
  view.whitened = whitened_.data();
  view.sums = sums_.data();
  view.rooms = rooms_.data();
  view.room_floats = rooms_.size() / sizes_.batch_threads;
  return view;
}

Status CpuQuestions::answer(std::size_t first, Span<ClassScore> scores) noexcept {
  const std::size_t classes = sizes_.max_classes;
  const std::size_t count = scores.size() / classes;
  if (count * classes != scores.size() || first + count > count_) return Status::kWrongSize;
  for (std::size_t at = first; at < first + count;) {
    const std::size_t start = at / kGroup * kGroup;
    PreparedView view = group(start);
    view.first = static_cast<std::uint32_t>(at - start);
    view.count = static_cast<std::uint32_t>(std::min(start + view.group, first + count) - at);
    if (view.count == view.group && !kept_.empty()) {
      view.kept = kept_.data() + start * classes;
      view.kept_at = kept_at_.data() + start / kGroup * classes;
    }
    const Status status = ensemble_.answer_prepared(
        view, scores.subspan((at - first) * classes, view.count * classes));
    if (status != Status::kOk) return status;
    at += view.count;
  }
  return Status::kOk;
}

}  // namespace jackdaw
