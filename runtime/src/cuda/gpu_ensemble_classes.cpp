// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Opening, emptying and closing classes. Rare, so what needs the host passes through pinned
// staging.
#include <cstring>

#include "core/door.hpp"
#include "cuda/gpu_ensemble.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw::cuda {

Pieces GpuEnsemble::rows_of(std::uint32_t slot) const noexcept {
  return {static_cast<std::byte*>(store_.view.rows) + slot * row_bytes(),
          settings_.max_classes * row_bytes()};
}

Pieces GpuEnsemble::counts_of(std::uint32_t slot) const noexcept {
  return {store_.view.counts + slot, settings_.max_classes * sizeof(std::int32_t)};
}

std::int32_t GpuEnsemble::class_count(std::uint32_t slot) const noexcept {
  return slot < settings_.max_classes ? class_counts_[slot].load() : -1;
}

std::int32_t GpuEnsemble::class_clipped(std::uint32_t slot) const noexcept {
  return slot < settings_.max_classes ? class_clipped_[slot].load() : 0;
}

void GpuEnsemble::set_class_count(std::uint32_t slot, std::int32_t count) {
  at_.class_counts[slot] = count;
  gpu_->copy(teacher_lane_, store_.view.class_counts + slot, at_.class_counts + slot, sizeof count);
}

void GpuEnsemble::derive(std::uint32_t slot) {
  if (seed()) return;
  at_.targets[0] = {slot, 1, static_cast<std::uint32_t>(Part::kClass)};
  gpu_->derive(teacher_lane_, store_, at_.teacher);
}

void GpuEnsemble::draw_initial_rows(std::uint32_t slot) noexcept {
  auto* elements = reinterpret_cast<std::uint16_t*>(at_.staging);
  // The teacher's examples are free: room for one row of whole numbers.
  auto* steps = reinterpret_cast<std::int32_t*>(at_.teaching.examples);
  for (std::uint32_t j = 0; j < settings_.classifiers; ++j) {
    draw_initial_row(settings_, j, slot, {steps, settings_.dimensions});
    for (std::size_t i = 0; i < stride(); ++i) {
      const std::int32_t step = i < settings_.dimensions ? steps[i] : 0;
      elements[j * stride() + i] =
          settings_.store == StoreType::kHalf
              ? to_half(static_cast<float>(step)).bits
              : static_cast<std::uint16_t>(static_cast<std::int16_t>(step));
    }
  }
}

Status GpuEnsemble::open_class(std::uint32_t& slot) noexcept {
  for (std::uint32_t free = 0; free < settings_.max_classes; ++free) {
    if (class_count(free) >= 0) continue;
    slot = free;
    return open_slot(free);
  }
  return Status::kNoClassFree;
}

Status GpuEnsemble::open_slot(std::uint32_t slot) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoClassFree;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (open(slot)) return Status::kOk;
  return guarded("open_slot", [&] {
    if (seed()) draw_initial_rows(slot);
    change([&] {
      if (seed()) {
        gpu_->copy_pieces(teacher_lane_, rows_of(slot), {at_.staging, row_bytes()}, row_bytes(),
                          settings_.classifiers);
      }
      set_class_count(slot, 0);
    });
    class_counts_[slot] = 0;
    return Status::kOk;
  });
}

Status GpuEnsemble::empty_slot(std::uint32_t slot) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoSuchClass;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("empty_slot", [&] {
    change([&] {
      set_class_count(slot, -1);
      derive(slot);
      gpu_->clear_pieces(teacher_lane_, rows_of(slot), row_bytes(), settings_.classifiers);
      gpu_->clear_pieces(teacher_lane_, counts_of(slot), sizeof(std::int32_t),
                         settings_.classifiers);
      gpu_->clear_pieces(teacher_lane_, {store_.view.class_clipped + slot, 4}, 4, 1);
      if (!seed()) {
        gpu_->clear_pieces(teacher_lane_, {store_.view.class_sums + slot * stride(), stride() * 4},
                           stride() * 4, 1);
      }
    });
    class_counts_[slot] = -1;
    class_clipped_[slot] = 0;
    return Status::kOk;
  });
}

void GpuEnsemble::take_diagonal(const std::int32_t* scatter) noexcept {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] = scatter[i * stride() + i];
}

Status GpuEnsemble::retire(Span<const std::int32_t> sums, std::int32_t count) noexcept {
  if (seed()) return Status::kOk;
  if (sums.size() != stride() || count < 0) return Status::kWrongSize;
  if (count == 0) return Status::kOk;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("retire", [&] {
    auto* scatter = reinterpret_cast<std::int32_t*>(at_.staging);
    const std::size_t bytes = stride() * stride() * 4;
    fetch([&](unsigned lane) { gpu_->copy(lane, scatter, store_.view.scatter, bytes); });
    add_outer_of_mean(scatter, at_.store.shape.stride, sums.data(), count, -1);
    change([&] { gpu_->copy(teacher_lane_, store_.view.scatter, scatter, bytes); });
    take_diagonal(scatter);
    retired_.examples += count;
    ++retired_.classes;
    return Status::kOk;
  });
}

Status GpuEnsemble::class_sums(std::uint32_t slot, Span<std::int32_t> sums) noexcept {
  if (seed()) return Status::kOk;
  if (sums.size() != stride()) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (!open(slot)) return Status::kNoSuchClass;
  return guarded("class_sums", [&] {
    fetch([&](unsigned lane) {
      gpu_->copy(lane, at_.staging, store_.view.class_sums + slot * stride(), sums.size_bytes());
    });
    std::memcpy(sums.data(), at_.staging, sums.size_bytes());
    return Status::kOk;
  });
}

Status GpuEnsemble::close_class(std::uint32_t slot) noexcept {
  const std::int32_t count = class_count(slot);
  if (count < 0) return Status::kNoSuchClass;
  if (!seed()) {
    if (const Status s = class_sums(slot, closing_); s != Status::kOk) return s;
    if (const Status s = retire(closing_, count); s != Status::kOk) return s;
  }
  return empty_slot(slot);
}

}  // namespace jackdaw::cuda
