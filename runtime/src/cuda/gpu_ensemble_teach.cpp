// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Teaching: the host checks and counts, the device does the rest.
#include <algorithm>
#include <limits>

#include "cuda/gpu_ensemble.hpp"

namespace jackdaw::cuda {

Status GpuEnsemble::check(Span<const std::byte> example, std::uint32_t slot) noexcept {
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (example.size() != example_bytes_) return Status::kWrongSize;
  if (!open(slot)) return Status::kNoSuchClass;
  put(example, at_.teaching);
  if (!seed()) {
    const auto* padded_example = reinterpret_cast<const std::int8_t*>(at_.teaching.examples);
    return fits(padded_example) ? Status::kOk : Status::kCountersFull;
  }
  return guarded("check", [&] {
    {
      const std::lock_guard<std::mutex> handing_over(enqueueing_);
      auto* chosen = reinterpret_cast<std::uint32_t*>(at_.staging);
      gpu_->nearest(teacher_lane_, store_, at_.teaching.query, chosen);
      gpu_->mark(teacher_lane_);
    }
    gpu_->wait(teacher_lane_);
    return at_.teaching.totals[0] > 0.0F ? Status::kOk : Status::kNoSimilarity;
  });
}

Status GpuEnsemble::teach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept {
  return change_one(example, slot, part, 1);
}

Status GpuEnsemble::unteach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept {
  return change_one(example, slot, part, -1);
}

bool GpuEnsemble::fits(const std::int8_t* example) const noexcept {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    if (diagonal_[i] > std::numeric_limits<std::int32_t>::max() - example[i] * example[i])
      return false;
  }
  return true;
}

void GpuEnsemble::add_to_diagonal(const std::int8_t* example, int sign) noexcept {
  for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] += sign * example[i] * example[i];
}

void GpuEnsemble::count(std::uint32_t slot, int sign) noexcept {
  at_.class_counts[slot] += sign;
  class_counts_[slot] = at_.class_counts[slot];
}

void GpuEnsemble::take_clipped() noexcept {
  for (std::uint32_t slot = 0; slot < settings_.max_classes; ++slot) {
    class_clipped_[slot] = at_.teacher.clipped[slot];
  }
}

Status GpuEnsemble::change_one(Span<const std::byte> bytes, std::uint32_t slot, Part part,
                               int sign) noexcept {
  if (bytes.size() != example_bytes_) return Status::kWrongSize;
  if (seed() && part == Part::kShared) return Status::kOk;  // this profile has no shared statistics
  const std::lock_guard<std::mutex> teaching(teaching_);
  put(bytes, at_.teaching);
  const auto* example = reinterpret_cast<const std::int8_t*>(at_.teaching.examples);
  const bool of_class = part != Part::kShared;
  const bool shared = !seed() && part != Part::kClass;
  if (of_class && !open(slot)) return Status::kNoSuchClass;
  if (of_class && sign < 0 && class_count(slot) == 0) return Status::kNothingToUndo;
  if (shared && sign > 0 && !fits(example)) return Status::kCountersFull;
  return guarded(sign > 0 ? "teach" : "unteach", [&] {
    at_.targets[0] = {slot, sign, static_cast<std::uint32_t>(part)};
    change([&] { gpu_->teach(teacher_lane_, store_, at_.teacher); });
    if (seed() && !(at_.teaching.totals[0] > 0.0F)) return Status::kNoSimilarity;
    if (of_class) count(slot, sign);
    if (shared) add_to_diagonal(example, sign);
    take_clipped();
    return Status::kOk;
  });
}

Status GpuEnsemble::teach_batch(Span<const std::byte> examples,
                                Span<const std::uint32_t> slots) noexcept {
  if (slots.empty() || slots.size() > settings_.max_batch ||
      examples.size() != slots.size() * example_bytes_) {
    return Status::kWrongSize;
  }
  const std::lock_guard<std::mutex> teaching(teaching_);
  for (const std::uint32_t slot : slots) {
    if (!open(slot)) return Status::kNoSuchClass;
  }
  return guarded("teach_batch", [&] {
    return seed() ? teach_seed_batch(examples, slots) : teach_default_batch(examples, slots);
  });
}

Status GpuEnsemble::teach_seed_batch(Span<const std::byte> examples,
                                     Span<const std::uint32_t> slots) {
  const std::uint32_t batch = put(examples, at_.teaching);
  for (std::uint32_t b = 0; b < batch; ++b) {
    at_.targets[b] = {slots[b], 1, static_cast<std::uint32_t>(Part::kBoth)};
  }
  change([&] { gpu_->teach_batch(teacher_lane_, store_, at_.teacher, batch); });
  for (std::uint32_t b = 0; b < batch; ++b) {
    if (at_.teaching.totals[b] > 0.0F) count(slots[b], 1);
  }
  take_clipped();
  return Status::kOk;
}

// As teaching one by one: whatever comes before the example that no longer fits has been taught.
Status GpuEnsemble::teach_default_batch(Span<const std::byte> examples,
                                        Span<const std::uint32_t> slots) {
  const std::uint32_t given = put(examples, at_.teaching);
  const auto* padded_examples = reinterpret_cast<const std::int8_t*>(at_.teaching.examples);
  std::uint32_t batch = 0;
  for (; batch < given && fits(padded_examples + batch * stride()); ++batch) {
    at_.targets[batch] = {slots[batch], 1, static_cast<std::uint32_t>(Part::kBoth)};
    add_to_diagonal(padded_examples + batch * stride(), 1);
  }
  if (batch > 0) {
    change([&] { gpu_->teach_batch(teacher_lane_, store_, at_.teacher, batch); });
    for (std::uint32_t b = 0; b < batch; ++b) count(slots[b], 1);
    take_clipped();
  }
  return batch < given ? Status::kCountersFull : Status::kOk;
}

}  // namespace jackdaw::cuda
