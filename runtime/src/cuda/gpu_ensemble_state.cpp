// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What is rare: opening and closing classes, sections in and out, refresh. All of it passes through pinned
// staging memory and the host functions that the CPU backend uses.
#include <algorithm>
#include <cstring>

#include "core/door.hpp"
#include "core/section.hpp"
#include "cuda/gpu_ensemble.hpp"
#include "jackdaw/half.hpp"

namespace jackdaw::cuda {

// --- classes ---------------------------------------------------------------------------------------

Pieces GpuEnsemble::rows_of(std::uint32_t slot) const noexcept {
  return {static_cast<std::byte*>(store_.view.rows) + slot * row_bytes(), settings_.max_classes * row_bytes()};
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
      elements[j * stride() + i] = settings_.store == StoreType::kHalf
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
        gpu_->copy_pieces(teacher_lane_, rows_of(slot), {at_.staging, row_bytes()}, row_bytes(), settings_.classifiers);
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
      gpu_->clear_pieces(teacher_lane_, counts_of(slot), sizeof(std::int32_t), settings_.classifiers);
      gpu_->clear_pieces(teacher_lane_, {store_.view.class_clipped + slot, 4}, 4, 1);
      if (!seed()) {
        gpu_->clear_pieces(teacher_lane_, {store_.view.class_sums + slot * stride(), stride() * 4}, stride() * 4, 1);
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

// --- sections --------------------------------------------------------------------------------------

std::size_t GpuEnsemble::class_section_bytes() const noexcept { return ClassSection(settings_).bytes; }

std::size_t GpuEnsemble::shared_section_bytes() const noexcept { return SharedSection(settings_).bytes; }

Status GpuEnsemble::export_class(std::uint32_t slot, Span<std::byte> section) noexcept {
  const ClassSection at(settings_);
  if (section.size() != at.bytes) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (!open(slot)) return Status::kNoSuchClass;
  return guarded("export_class", [&] {
    fetch([&](unsigned lane) {
      gpu_->copy_pieces(lane, {at_.staging + at.rows, row_bytes()}, rows_of(slot), row_bytes(), settings_.classifiers);
      gpu_->copy_pieces(lane, {at_.staging + at.counts, 4}, counts_of(slot), 4, settings_.classifiers);
      if (!seed()) {
        gpu_->copy(lane, at_.staging + at.sums, store_.view.class_sums + slot * stride(), at.tail - at.sums);
      }
      gpu_->copy(lane, at_.staging + at.tail, store_.view.class_counts + slot, 4);
      gpu_->copy(lane, at_.staging + at.tail + 4, store_.view.class_clipped + slot, 4);
    });
    std::memcpy(section.data(), at_.staging, section.size());
    return Status::kOk;
  });
}

Status GpuEnsemble::import_class(std::uint32_t slot, Span<const std::byte> section) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoClassFree;
  const ClassSection at(settings_);
  if (find_fault_in_class(settings_, section) != nullptr) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("import_class", [&] {
    std::memcpy(at_.staging, section.data(), section.size());
    std::int32_t tail[2];  // count, clipped
    std::memcpy(tail, section.data() + at.tail, sizeof tail);
    change([&] {
      gpu_->copy_pieces(teacher_lane_, rows_of(slot), {at_.staging + at.rows, row_bytes()}, row_bytes(),
                        settings_.classifiers);
      gpu_->copy_pieces(teacher_lane_, counts_of(slot), {at_.staging + at.counts, 4}, 4, settings_.classifiers);
      if (!seed()) {
        gpu_->copy(teacher_lane_, store_.view.class_sums + slot * stride(), at_.staging + at.sums, at.tail - at.sums);
      }
      gpu_->copy(teacher_lane_, store_.view.class_clipped + slot, at_.staging + at.tail + 4, 4);
      set_class_count(slot, tail[0]);
      derive(slot);
    });
    class_counts_[slot] = tail[0];
    class_clipped_[slot] = tail[1];
    return Status::kOk;
  });
}

Status GpuEnsemble::export_shared(Span<std::byte> section) noexcept {
  const SharedSection at(settings_);
  if (section.size() != at.bytes) return Status::kWrongSize;
  if (at.bytes == 0) return Status::kOk;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("export_shared", [&] {
    fetch([&](unsigned lane) { gpu_->copy(lane, at_.staging, store_.view.scatter, at.retired); });
    std::memcpy(section.data(), at_.staging, at.retired);
    std::memcpy(section.data() + at.retired, &retired_.examples, 8);
    std::memcpy(section.data() + at.retired + 8, &retired_.classes, 8);
    return Status::kOk;
  });
}

Status GpuEnsemble::import_shared(Span<const std::byte> section) noexcept {
  const SharedSection at(settings_);
  if (find_fault_in_shared(settings_, section) != nullptr) return Status::kWrongSize;
  if (at.bytes == 0) return Status::kOk;
  const std::lock_guard<std::mutex> teaching(teaching_);
  return guarded("import_shared", [&] {
    std::memcpy(at_.staging, section.data(), at.retired);
    change([&] { gpu_->copy(teacher_lane_, store_.view.scatter, at_.staging, at.retired); });
    take_diagonal(reinterpret_cast<const std::int32_t*>(at_.staging));
    std::memcpy(&retired_.examples, section.data() + at.retired, 8);
    std::memcpy(&retired_.classes, section.data() + at.retired + 8, 8);
    return Status::kOk;
  });
}

// --- refresh ---------------------------------------------------------------------------------------

Status GpuEnsemble::refresh() noexcept {
  if (seed()) return Status::kOk;
  const std::lock_guard<std::mutex> one_at_a_time(refreshing_);
  return guarded("refresh", [&] {
    compute_refresh();
    return Status::kOk;
  });
}

void GpuEnsemble::compute_refresh() {
  const std::size_t matrix = stride() * stride() * 4;
  const std::size_t sums_bytes = settings_.max_classes * stride() * 4;
  std::byte* scatter = at_.refresh_staging;
  std::byte* inverse = scatter + matrix;
  std::byte* sums = inverse + matrix;
  std::byte* counts = sums + sums_bytes;
  WhiteningInput input{reinterpret_cast<std::int32_t*>(sums), reinterpret_cast<std::int32_t*>(counts), {}};
  {
    const std::lock_guard<std::mutex> teaching(teaching_);
    fetch([&](unsigned lane) {
      gpu_->copy(lane, scatter, store_.view.scatter, matrix);
      gpu_->copy(lane, sums, store_.view.class_sums, sums_bytes);
      gpu_->copy(lane, counts, store_.view.class_counts, settings_.max_classes * 4);
    });
    input.retired = retired_;
  }
  load_scatter(at_.store.shape, reinterpret_cast<std::int32_t*>(scatter), at_.refresh);
  compute_whitening(settings_, input, at_.refresh, reinterpret_cast<float*>(inverse));

  // The norms of all classes as they are by now; teaching waits for this, answers do not: it happens on the
  // refresh lane, in memory that no answer reads.
  const std::lock_guard<std::mutex> teaching(teaching_);
  const std::size_t next = 1 - active_;
  DeviceStore with_next = store_;
  with_next.whitener = at_.views + next;
  fetch([&](unsigned lane) {
    gpu_->copy(lane, at_.inverse[next], inverse, matrix);
    gpu_->refresh_norms(lane, with_next, at_.teacher, settings_.max_batch);
  });
  change([&] { gpu_->copy(teacher_lane_, at_.views + 2, at_.views + next, sizeof(WhitenerView)); });
  active_ = next;
}

}  // namespace jackdaw::cuda
