// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu/cpu_ensemble.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <shared_mutex>

#include "core/door.hpp"
#include "core/section.hpp"
#include "cpu/cpu_questions.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw {
namespace {

constexpr ClassScore kNoScore = {-std::numeric_limits<float>::infinity(), 0.0F};

StoreView view_of(const EnsembleSettings& settings, const Slab& slab) {
  StoreView store;
  store.shape = shape_of(settings);
  store.keys = slab.at<std::int8_t>("keys");
  store.inverse_lengths = slab.at<float>("key lengths");
  store.rows = slab.at<std::byte>("rows");
  store.counts = slab.at<std::int32_t>("counts");
  store.class_sums = slab.at<std::int32_t>("class sums");
  store.scatter = slab.at<std::int32_t>("scatter");
  store.class_counts = slab.at<std::int32_t>("class counts");
  store.class_clipped = slab.at<std::int32_t>("class clipped");
  return store;
}

}  // namespace

CpuEnsemble::CpuEnsemble(const EnsembleSettings& settings, const Primitives& loops,
                         Span<const std::int8_t> keys)
    : settings_(settings),
      plan_(plan_memory(settings)),
      loops_(loops),
      slab_(plan_),
      store_(view_of(settings_, slab_)),
      packed_keys_(slab_.at<std::int8_t>("packed keys")),
      teacher_(scratch_at(slab_.section("teacher").data(), settings_)),
      example_bytes_(settings.dimensions *
                     (settings.profile == Profile::kSeed ? sizeof(float) : 1)),
      row_bytes_(std::size_t{store_.shape.stride} * element_bytes(settings.store)),
      pool_(settings.batch_threads) {
  set_up_keys(
      settings_, keys,
      {slab_.at<std::int8_t>("keys"), std::size_t{settings_.classifiers} * store_.shape.stride},
      {slab_.at<float>("key lengths"), settings_.classifiers});
  loops_.pack_keys(store_.keys, store_.shape.classifiers, store_.shape.stride,
                   slab_.at<std::int8_t>("packed keys"));
  std::fill_n(store_.class_counts, settings_.max_classes, -1);
}

Status CpuEnsemble::admit(Span<const float> embedding, Span<std::byte> example) const noexcept {
  if (embedding.size() != settings_.dimensions || example.size() != example_bytes_) {
    return Status::kWrongSize;
  }
  if (settings_.profile == Profile::kSeed) {
    return normalise(embedding, {reinterpret_cast<float*>(example.data()), embedding.size()},
                     loops_.normalise);
  }
  return quantise(embedding, settings_.default_rule.levels,
                  {reinterpret_cast<std::int8_t*>(example.data()), embedding.size()});
}

Status CpuEnsemble::admit_batch(Span<const float> embeddings, Span<std::byte> examples) noexcept {
  const std::size_t d = settings_.dimensions;
  const std::size_t batch = embeddings.size() / d;
  if (embeddings.size() != batch * d || examples.size() != batch * example_bytes_) {
    return Status::kWrongSize;
  }
  std::atomic<Status> worst{Status::kOk};
  in_ranges(teacher_, static_cast<std::uint32_t>(batch),
            [&](const ScratchView&, std::uint32_t first, std::uint32_t count) {
              const Status s = Ensemble::admit_batch(
                  embeddings.subspan(first * d, count * d),
                  examples.subspan(first * example_bytes_, count * example_bytes_));
              if (s != Status::kOk) worst.store(s);
            });
  return worst.load();
}

ScratchView CpuEnsemble::context(std::uint32_t index) const noexcept {
  const Span<std::byte> all = slab_.section("contexts");
  return scratch_at(all.data() + all.size() / settings_.contexts * index, settings_);
}

ScratchView CpuEnsemble::worker(std::uint32_t part) const noexcept {
  EnsembleSettings one = settings_;
  one.max_batch = 1;
  const Span<std::byte> all = slab_.section("workers");
  return scratch_at(all.data() + all.size() / (settings_.batch_threads - 1) * (part - 1), one);
}

bool CpuEnsemble::load(Span<const std::byte> examples, const ScratchView& scratch,
                       std::uint32_t& batch) noexcept {
  const std::size_t count = examples.size() / example_bytes_;
  if (count == 0 || count > settings_.max_batch || count * example_bytes_ != examples.size()) {
    return false;
  }
  batch = static_cast<std::uint32_t>(count);
  for (std::size_t b = 0; b < count; ++b)
    load_one(examples.data() + b * example_bytes_, scratch, b);
  return true;
}

void CpuEnsemble::load_one(const std::byte* example, const ScratchView& scratch,
                           std::size_t b) const noexcept {
  const std::size_t padded_bytes = example_bytes_ / settings_.dimensions * store_.shape.stride;
  std::byte* to = static_cast<std::byte*>(scratch.examples) + b * padded_bytes;
  std::memcpy(to, example, example_bytes_);
  std::memset(to + example_bytes_, 0, padded_bytes - example_bytes_);
}

// --- classes -----------------------------------------------------------------------------------

Status CpuEnsemble::open_class(std::uint32_t& slot) noexcept {
  for (std::uint32_t free = 0; free < settings_.max_classes; ++free) {
    if (class_count(free) >= 0) continue;
    slot = free;
    return open_slot(free);
  }
  return Status::kNoClassFree;
}

Status CpuEnsemble::open_slot(std::uint32_t slot) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoClassFree;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (open(slot)) return Status::kOk;
  start_class(slot);  // takes its time; nobody's answer depends on a slot that is not open
  const std::lock_guard<AnswerLock> writing(rows_);
  store_.class_counts[slot] = 0;
  slots_ = std::max(slots_, slot + 1);
  return Status::kOk;
}

void CpuEnsemble::clear_slot(std::uint32_t slot) noexcept {
  for (std::size_t j = 0; j < store_.shape.classifiers; ++j) {
    std::memset(row(j, slot), 0, row_bytes_);
    store_.counts[store_.shape.row(j, slot)] = 0;
  }
  if (store_.class_sums != nullptr) {
    std::fill_n(store_.class_sums + std::size_t{slot} * store_.shape.stride, store_.shape.stride,
                0);
  }
  store_.class_clipped[slot] = 0;
}

Status CpuEnsemble::empty_slot(std::uint32_t slot) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoSuchClass;
  const std::lock_guard<std::mutex> teaching(teaching_);
  const std::lock_guard<AnswerLock> writing(rows_);  // all of it: answers read counts of every slot
  store_.class_counts[slot] = -1;
  derive(slot);
  clear_slot(slot);
  return Status::kOk;
}

Status CpuEnsemble::retire(Span<const std::int32_t> sums, std::int32_t count) noexcept {
  if (store_.scatter == nullptr) return Status::kOk;
  if (sums.size() != store_.shape.stride || count < 0) return Status::kWrongSize;
  if (count == 0) return Status::kOk;
  for (const std::int32_t sum : sums) {
    if (std::abs(std::int64_t{sum}) > std::int64_t{count} * 127) return Status::kWrongSize;
  }
  const std::lock_guard<std::mutex> teaching(teaching_);
  settle();
  add_outer_of_mean(store_.scatter, store_.shape.stride, sums.data(), count, -1);
  retired_.examples += count;
  ++retired_.classes;
  return Status::kOk;
}

Status CpuEnsemble::class_sums(std::uint32_t slot, Span<std::int32_t> sums) noexcept {
  if (store_.class_sums == nullptr) return Status::kOk;
  if (sums.size() != store_.shape.stride) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (!open(slot)) return Status::kNoSuchClass;
  std::copy_n(store_.class_sums + std::size_t{slot} * sums.size(), sums.size(), sums.data());
  return Status::kOk;
}

Status CpuEnsemble::close_class(std::uint32_t slot) noexcept {
  const std::int32_t count = class_count(slot);
  if (count < 0) return Status::kNoSuchClass;
  if (store_.scatter != nullptr) {
    const Span<const std::int32_t> sums(store_.class_sums + std::size_t{slot} * store_.shape.stride,
                                        store_.shape.stride);
    if (const Status s = retire(sums, count); s != Status::kOk) return s;
  }
  return empty_slot(slot);
}

std::int32_t CpuEnsemble::class_count(std::uint32_t slot) const noexcept {
  if (slot >= settings_.max_classes) return -1;
  const std::shared_lock<AnswerLock> reading(rows_);
  return store_.class_counts[slot];
}

std::int32_t CpuEnsemble::class_clipped(std::uint32_t slot) const noexcept {
  if (slot >= settings_.max_classes) return 0;
  const std::shared_lock<AnswerLock> reading(rows_);
  return store_.class_clipped[slot];
}

// --- answering ---------------------------------------------------------------------------------

Status CpuEnsemble::predict(std::uint32_t context, Span<const std::byte> example,
                            Span<ClassScore> scores) noexcept {
  if (example.size() != example_bytes_) return Status::kWrongSize;
  return predict_batch(context, example, scores);
}

Status CpuEnsemble::predict_batch(std::uint32_t context_index, Span<const std::byte> examples,
                                  Span<ClassScore> scores) noexcept {
  if (context_index >= settings_.contexts) return Status::kWrongSize;
  const ScratchView scratch = context(context_index);
  std::uint32_t batch = 0;
  if (!load(examples, scratch, batch)) return Status::kWrongSize;
  if (scores.size() != std::size_t{batch} * settings_.max_classes) return Status::kWrongSize;
  choose(scratch, batch);  // keys never change: no lock
  return answer_chosen(scratch, batch, scores);
}

std::unique_ptr<Questions> CpuEnsemble::prepare(Span<const std::byte> examples) {
  return std::make_unique<CpuQuestions>(*this, examples);
}

Status CpuEnsemble::answer_chosen(const ScratchView& scratch, std::uint32_t batch,
                                  Span<ClassScore> scores) noexcept {
  std::atomic<Status> worst{Status::kOk};
  const std::shared_lock<AnswerLock> reading = lock_for_answer();
  in_parts(scratch, batch, [&](const ScratchView& part, std::uint32_t first, std::uint32_t count) {
    ClassScore* out = scores.data() + std::size_t{first} * settings_.max_classes;
    if (const Status s = answer(part, count, out); s != Status::kOk) worst.store(s);
    for (std::uint32_t b = 0; b < count; ++b, out += settings_.max_classes) {
      std::fill(out + slots_, out + settings_.max_classes, kNoScore);
    }
  });
  return worst.load();
}

// Never for long: who holds teaching_ for long has settled first.
std::shared_lock<AnswerLock> CpuEnsemble::lock_for_answer() noexcept {
  while (true) {
    std::shared_lock<AnswerLock> reading(rows_);
    if (settled()) return reading;
    reading.unlock();
    const std::unique_lock<std::mutex> teaching(teaching_, std::try_to_lock);
    if (teaching) {
      settle_for_answers();
    } else {
      std::this_thread::yield();
    }
  }
}

void CpuEnsemble::choose(const ScratchView& scratch, std::uint32_t batch) noexcept {
  in_parts(scratch, batch, [&](const ScratchView& part, std::uint32_t, std::uint32_t count) {
    find_nearest(part, count);
  });
}

Status CpuEnsemble::nearest(std::uint32_t context_index, Span<const std::byte> example,
                            Span<std::uint32_t> chosen) noexcept {
  if (context_index >= settings_.contexts || example.size() != example_bytes_ ||
      chosen.size() != settings_.nearest) {
    return Status::kWrongSize;
  }
  const ScratchView scratch = context(context_index);
  std::uint32_t batch = 0;
  if (!load(example, scratch, batch)) return Status::kWrongSize;
  choose(scratch, 1);
  std::copy_n(scratch.chosen, chosen.size(), chosen.data());
  return Status::kOk;
}

// --- state -------------------------------------------------------------------------------------

std::size_t CpuEnsemble::class_section_bytes() const noexcept {
  return ClassSection(settings_).bytes;
}

std::size_t CpuEnsemble::shared_section_bytes() const noexcept {
  return SharedSection(settings_).bytes;
}

Status CpuEnsemble::export_class(std::uint32_t slot, Span<std::byte> section) noexcept {
  const ClassSection at(settings_);
  if (section.size() != at.bytes) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  if (!open(slot)) return Status::kNoSuchClass;
  settle();
  for (std::size_t j = 0; j < store_.shape.classifiers; ++j) {
    std::memcpy(section.data() + at.rows + j * row_bytes_, row(j, slot), row_bytes_);
    std::memcpy(section.data() + at.counts + j * 4, store_.counts + store_.shape.row(j, slot), 4);
  }
  if (store_.class_sums != nullptr) {
    std::memcpy(section.data() + at.sums,
                store_.class_sums + std::size_t{slot} * store_.shape.stride, at.tail - at.sums);
  }
  std::memcpy(section.data() + at.tail, store_.class_counts + slot, 4);
  std::memcpy(section.data() + at.tail + 4, store_.class_clipped + slot, 4);
  return Status::kOk;
}

Status CpuEnsemble::import_class(std::uint32_t slot, Span<const std::byte> section) noexcept {
  if (slot >= settings_.max_classes) return Status::kNoClassFree;
  const ClassSection at(settings_);
  if (find_fault_in_class(settings_, section) != nullptr) return Status::kWrongSize;
  const std::lock_guard<std::mutex> teaching(teaching_);
  const std::lock_guard<AnswerLock> writing(rows_);
  for (std::size_t j = 0; j < store_.shape.classifiers; ++j) {
    std::memcpy(row(j, slot), section.data() + at.rows + j * row_bytes_, row_bytes_);
    std::memcpy(store_.counts + store_.shape.row(j, slot), section.data() + at.counts + j * 4, 4);
  }
  if (store_.class_sums != nullptr) {
    std::memcpy(store_.class_sums + std::size_t{slot} * store_.shape.stride,
                section.data() + at.sums, at.tail - at.sums);
  }
  std::memcpy(store_.class_counts + slot, section.data() + at.tail, 4);
  std::memcpy(store_.class_clipped + slot, section.data() + at.tail + 4, 4);
  slots_ = std::max(slots_, slot + 1);
  derive(slot);
  return Status::kOk;
}

Status CpuEnsemble::export_shared(Span<std::byte> section) noexcept {
  const SharedSection at(settings_);
  if (section.size() != at.bytes) return Status::kWrongSize;
  if (at.bytes == 0) return Status::kOk;
  const std::lock_guard<std::mutex> teaching(teaching_);
  settle();
  std::memcpy(section.data(), store_.scatter, at.retired);
  std::memcpy(section.data() + at.retired, &retired_.examples, 8);
  std::memcpy(section.data() + at.retired + 8, &retired_.classes, 8);
  return Status::kOk;
}

Status CpuEnsemble::import_shared(Span<const std::byte> section) noexcept {
  const SharedSection at(settings_);
  if (find_fault_in_shared(settings_, section) != nullptr) return Status::kWrongSize;
  if (at.bytes == 0) return Status::kOk;
  const std::lock_guard<std::mutex> teaching(teaching_);
  settle();
  std::memcpy(store_.scatter, section.data(), at.retired);
  diagonal_bound_ = std::numeric_limits<std::int32_t>::max();
  std::memcpy(&retired_.examples, section.data() + at.retired, 8);
  std::memcpy(&retired_.classes, section.data() + at.retired + 8, 8);
  return Status::kOk;
}

}  // namespace jackdaw
