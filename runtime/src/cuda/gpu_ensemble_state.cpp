// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Sections in and out, and refresh: through pinned staging memory and the host functions that the
// CPU backend uses.
#include <cstring>

#include "core/section.hpp"
#include "cuda/gpu_ensemble.hpp"

namespace jackdaw::cuda {

// --- sections -----------------------------------------------------------------------------------

std::size_t GpuEnsemble::class_section_bytes() const noexcept {
  return ClassSection(settings_).bytes;
}

std::size_t GpuEnsemble::shared_section_bytes() const noexcept {
  return SharedSection(settings_).bytes;
}

Status GpuEnsemble::export_class(std::uint32_t slot, Span<std::byte> section) noexcept {
  const ClassSection at(settings_);
  if (section.size() != at.bytes) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (!open(slot)) return Status::kNoSuchClass;
  return guarded("export_class", [&] {
    fetch([&](unsigned lane) {
      gpu_->copy_pieces(lane, {at_.staging + at.rows, row_bytes()}, rows_of(slot), row_bytes(),
                        settings_.classifiers);
      gpu_->copy_pieces(lane, {at_.staging + at.counts, 4}, counts_of(slot), 4,
                        settings_.classifiers);
      if (!seed()) {
        gpu_->copy(lane, at_.staging + at.sums, store_.view.class_sums + slot * stride(),
                   at.tail - at.sums);
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
      gpu_->copy_pieces(teacher_lane_, rows_of(slot), {at_.staging + at.rows, row_bytes()},
                        row_bytes(), settings_.classifiers);
      gpu_->copy_pieces(teacher_lane_, counts_of(slot), {at_.staging + at.counts, 4}, 4,
                        settings_.classifiers);
      if (!seed()) {
        gpu_->copy(teacher_lane_, store_.view.class_sums + slot * stride(), at_.staging + at.sums,
                   at.tail - at.sums);
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

// --- refresh ------------------------------------------------------------------------------------

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
  WhiteningInput input{
      reinterpret_cast<std::int32_t*>(sums), reinterpret_cast<std::int32_t*>(counts), {}};
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

  // The norms of all classes as they are by now; teaching waits for this, answers do not: it
  // happens on the refresh lane, in memory that no answer reads.
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
