// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// n keyed classifiers in one fixed slab, on the CPU or on a GPU: the same interface, and in profile
// default the same bits. Classes are slots here; names live in the Learner.
//
//   auto ensemble = make_ensemble(settings);
//   std::vector<std::byte> example(ensemble->example_bytes());
//   ensemble->admit(embedding, example);               // checked and quantised, once, at the door
//   std::uint32_t mug;
//   ensemble->open_class(mug);
//   ensemble->teach(example, mug, Part::kBoth);
//   ensemble->refresh();                                // at a quiet moment, not for each frame
//   ensemble->predict(0, example, scores);              // scores[slot], size settings.max_classes
//
// Threads: one thread teaches (calls are serialised); each context may predict in a thread of its
// own meanwhile. refresh() may run in a third; it never makes an answer wait for its computation.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "jackdaw/device_embedding.hpp"
#include "jackdaw/memory_plan.hpp"
#include "jackdaw/settings.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw {

// What one class was found to be for one query. Slots that cannot answer have score -infinity.
struct ClassScore {
  float score;       // classes are ranked by it
  float typicality;  // 0: like anything at all; 1: like a typical example of the class
};

// Examples that are asked about again and again while the ensemble learns, as a test set is. Holds
// what lessons do not change, above all which classifiers answer, because keys never change. Must
// not outlive whom it was made by; one thread at a time.
class Questions {
 public:
  virtual ~Questions() = default;
  // For the questions from `first` on, as many as scores has room for: [question][max_classes].
  virtual Status answer(std::size_t first, Span<ClassScore> scores) noexcept = 0;
};

// Which part of an example's trace a call changes. Recovery from disk applies them apart, because
// a snapshot holds each class and the shared statistics as of moments of their own.
enum class Part : std::uint8_t { kClass = 1, kShared = 2, kBoth = 3 };

class Ensemble {
 public:
  virtual ~Ensemble() = default;
  Ensemble(const Ensemble&) = delete;
  Ensemble& operator=(const Ensemble&) = delete;

  virtual const EnsembleSettings& settings() const noexcept = 0;
  virtual const MemoryPlan& plan() const noexcept = 0;
  virtual std::string backend() const = 0;  // for people: "cpu avx2", "cuda Orin (sm_87)"
  // Whether a single answer is started on the GPU as one recorded graph, not kernel by kernel.
  virtual bool answers_as_graph() const noexcept { return false; }

  // --- the door ---------------------------------------------------------------------------------
  // Bytes of one admitted example: d int8 (default) or d float of unit length (seed).
  virtual std::size_t example_bytes() const noexcept = 0;
  virtual Status admit(Span<const float> embedding, Span<std::byte> example) const noexcept = 0;
  // Several, one after the other in both spans. If one is refused, that is the answer.
  virtual Status admit_batch(Span<const float> embeddings, Span<std::byte> examples) noexcept;

  // --- embeddings that are in the GPU's memory already
  // -------------------------------------------- Whether the next two work; on the CPU they answer
  // kDeviceFailed.
  virtual bool on_device() const noexcept { return false; }
  // The door on the GPU: the same bytes as admit() gives. Only they come to the host.
  virtual Status admit_on_device(const DeviceEmbedding& embedding,
                                 Span<std::byte> example) noexcept;
  // As admit() and predict(), with nothing between them but the GPU.
  virtual Status predict_on_device(std::uint32_t context, const DeviceEmbedding& embedding,
                                   Span<ClassScore> scores) noexcept;

  // --- classes ----------------------------------------------------------------------------------
  virtual Status open_class(std::uint32_t& slot) noexcept = 0;  // the lowest free slot
  virtual Status open_slot(std::uint32_t slot) noexcept = 0;    // that slot; kOk if open already
  // Forgets a class; its slot is free afterwards. The shared statistics keep the class's spread,
  // but nothing of where it was (profile default).
  virtual Status close_class(std::uint32_t slot) noexcept = 0;
  // The two parts of closing, for recovery from disk, where they may have to be done apart:
  // emptying the slot, and taking a class's sums (int32, d padded to 32) out of the shared
  // statistics.
  virtual Status empty_slot(std::uint32_t slot) noexcept = 0;
  virtual Status retire(Span<const std::int32_t> sums, std::int32_t count) noexcept = 0;
  // What retire() will need; empty in profile seed.
  virtual Status class_sums(std::uint32_t slot, Span<std::int32_t> sums) noexcept = 0;
  // Examples taught, or -1 for a slot that is not in use.
  virtual std::int32_t class_count(std::uint32_t slot) const noexcept = 0;
  // Row updates of this class in which the store's clamp took effect; undo is inexact from then on.
  virtual std::int32_t class_clipped(std::uint32_t slot) const noexcept = 0;

  // --- learning ---------------------------------------------------------------------------------
  // What teach() would answer, without changing anything: kCountersFull, kNoSimilarity, ...
  virtual Status check(Span<const std::byte> example, std::uint32_t slot) noexcept = 0;
  // part: kBoth, but for recovery from disk.
  virtual Status teach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept = 0;
  virtual Status unteach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept = 0;
  // One step on a whole batch: in profile seed the paper's batch gradient, in profile default the
  // same as teaching one by one (kCountersFull: those before the one that did not fit were taught).
  // At most settings.max_batch examples.
  virtual Status teach_batch(Span<const std::byte> examples,
                             Span<const std::uint32_t> slots) noexcept = 0;
  // Takes what was taught since into the whitening that answers use. Profile seed: nothing to do.
  virtual Status refresh() noexcept = 0;

  // --- answering --------------------------------------------------------------------------------
  virtual Status predict(std::uint32_t context, Span<const std::byte> example,
                         Span<ClassScore> scores) noexcept = 0;
  // scores: [example][max_classes].
  virtual Status predict_batch(std::uint32_t context, Span<const std::byte> examples,
                               Span<ClassScore> scores) noexcept = 0;
  // The same answers, faster for many examples that are asked about often. Allocates; what it keeps
  // is not part of the plan. Uses context 0, so one thread at a time for all of them. Throws
  // SettingsError if examples has a wrong size.
  virtual std::unique_ptr<Questions> prepare(Span<const std::byte> examples);
  // Which k classifiers answer for an example, in ascending order.
  virtual Status nearest(std::uint32_t context, Span<const std::byte> example,
                         Span<std::uint32_t> chosen) noexcept = 0;

  // --- state, for snapshots and merging ---------------------------------------------------------
  // Plain little-endian bytes, the same from every backend (see core/section.hpp).
  virtual std::size_t class_section_bytes() const noexcept = 0;
  virtual Status export_class(std::uint32_t slot, Span<std::byte> section) noexcept = 0;
  virtual Status import_class(std::uint32_t slot, Span<const std::byte> section) noexcept = 0;
  virtual std::size_t shared_section_bytes() const noexcept = 0;
  virtual Status export_shared(Span<std::byte> section) noexcept = 0;
  virtual Status import_shared(Span<const std::byte> section) noexcept = 0;
  virtual Span<const std::byte> keys() const noexcept = 0;  // int8, [n][d padded to 32]
  // The part of the plan that the learner above uses (section "undo ring"), in host memory.
  virtual Span<std::byte> undo_memory() noexcept = 0;

 protected:
  Ensemble() = default;
};

enum class Device : std::uint8_t { kAuto, kCpu, kCuda };

// Allocates the slab; nothing is allocated afterwards. kAuto takes CUDA when it was built in and a
// device answers, and otherwise logs why not and takes the CPU. kCuda throws CudaError instead.
// keys: empty for random ones from settings.seed, or [n][d] of the caller's own (int8 values).
std::unique_ptr<Ensemble> make_ensemble(const EnsembleSettings& settings,
                                        Device device = Device::kAuto,
                                        Span<const std::int8_t> keys = {});

}  // namespace jackdaw
