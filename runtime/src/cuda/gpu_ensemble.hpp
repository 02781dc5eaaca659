// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An ensemble whose store lies in a GPU's memory. Host code only: what runs on the device, and how
// it is reached, is behind Gpu, so the tests run this very class without one.
//
// Lanes: one for each context, one for the teacher, one for refresh. A predict starts after the
// last change that was marked; a change starts after the last predict of every context. Nobody else
// waits.
//
// Once a call has answered kDeviceFailed the store cannot be trusted: make a new ensemble (from the
// last snapshot, or on the CPU).

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "core/whitening.hpp"
#include "cuda/device_plan.hpp"
#include "cuda/gpu.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::cuda {

void log_failure(const char* what, const std::exception& error);

class GpuEnsemble final : public Ensemble {
 public:
  GpuEnsemble(const EnsembleSettings& settings, Span<const std::int8_t> keys,
              std::unique_ptr<Gpu> gpu, Span<void* const> streams);

  const EnsembleSettings& settings() const noexcept override { return settings_; }
  const MemoryPlan& plan() const noexcept override { return plan_.plan; }
  std::string backend() const override { return "cuda " + gpu_->name(); }
  bool answers_as_graph() const noexcept override { return as_graph_; }

  std::size_t example_bytes() const noexcept override { return example_bytes_; }
  Status admit(Span<const float> embedding, Span<std::byte> example) const noexcept override;

  bool on_device() const noexcept override { return true; }
  Status admit_on_device(const DeviceEmbedding& embedding,
                         Span<std::byte> example) noexcept override;
  Status predict_on_device(std::uint32_t context, const DeviceEmbedding& embedding,
                           Span<ClassScore> scores) noexcept override;

  Status open_class(std::uint32_t& slot) noexcept override;
  Status open_slot(std::uint32_t slot) noexcept override;
  Status close_class(std::uint32_t slot) noexcept override;
  Status empty_slot(std::uint32_t slot) noexcept override;
  Status retire(Span<const std::int32_t> sums, std::int32_t count) noexcept override;
  Status class_sums(std::uint32_t slot, Span<std::int32_t> sums) noexcept override;
  std::int32_t class_count(std::uint32_t slot) const noexcept override;
  std::int32_t class_clipped(std::uint32_t slot) const noexcept override;

  Status check(Span<const std::byte> example, std::uint32_t slot) noexcept override;
  Status teach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override;
  Status unteach(Span<const std::byte> example, std::uint32_t slot, Part part) noexcept override;
  Status teach_batch(Span<const std::byte> examples,
                     Span<const std::uint32_t> slots) noexcept override;
  Status refresh() noexcept override;

  Status predict(std::uint32_t context, Span<const std::byte> example,
                 Span<ClassScore> scores) noexcept override;
  Status predict_batch(std::uint32_t context, Span<const std::byte> examples,
                       Span<ClassScore> scores) noexcept override;
  Status nearest(std::uint32_t context, Span<const std::byte> example,
                 Span<std::uint32_t> chosen) noexcept override;

  std::size_t class_section_bytes() const noexcept override;
  Status export_class(std::uint32_t slot, Span<std::byte> section) noexcept override;
  Status import_class(std::uint32_t slot, Span<const std::byte> section) noexcept override;
  std::size_t shared_section_bytes() const noexcept override;
  Status export_shared(Span<std::byte> section) noexcept override;
  Status import_shared(Span<const std::byte> section) noexcept override;
  Span<const std::byte> keys() const noexcept override { return at_.keys; }
  Span<std::byte> undo_memory() noexcept override { return at_.undo; }

 private:
  bool seed() const noexcept { return settings_.profile == Profile::kSeed; }
  bool open(std::uint32_t slot) const noexcept { return class_count(slot) >= 0; }
  std::size_t stride() const noexcept { return at_.store.shape.stride; }
  std::size_t row_bytes() const noexcept { return stride() * 2; }

  // Runs work; a CudaError becomes kDeviceFailed and a line in the log.
  template <class Work>
  Status guarded(const char* what, const Work& work) noexcept;
  // Enqueues a change of what answers read, on the teacher's lane, and waits for it. Under
  // teaching_.
  template <class Enqueue>
  void change(const Enqueue& enqueue);
  // Enqueues what no answer reads, and waits. Under teaching_.
  template <class Enqueue>
  void fetch(const Enqueue& enqueue);

  // Copies examples into an area, padded; the number of them, or 0 if that is not a whole batch.
  std::uint32_t put(Span<const std::byte> examples, const Area& area) const noexcept;
  // Enqueues the door: the embedding becomes the area's first example.
  void enqueue_admit(unsigned lane, const Area& area, const DeviceEmbedding& embedding);
  // Answers what is in a context's area, or gets there from the embedding if there is one.
  Status ask(std::uint32_t context, std::uint32_t batch, const DeviceEmbedding* embedding,
             Span<ClassScore> scores) noexcept;
  Status change_one(Span<const std::byte> example, std::uint32_t slot, Part part,
                    int sign) noexcept;
  Status teach_default_batch(Span<const std::byte> examples, Span<const std::uint32_t> slots);
  Status teach_seed_batch(Span<const std::byte> examples, Span<const std::uint32_t> slots);
  void count(std::uint32_t slot, int sign) noexcept;
  void set_class_count(std::uint32_t slot, std::int32_t count);  // enqueues
  void take_clipped() noexcept;
  bool fits(const std::int8_t* example) const noexcept;
  void add_to_diagonal(const std::int8_t* example, int sign) noexcept;
  void take_diagonal(const std::int32_t* scatter) noexcept;
  void draw_initial_rows(std::uint32_t slot) noexcept;  // into the staging
  Pieces rows_of(std::uint32_t slot) const noexcept;
  Pieces counts_of(std::uint32_t slot) const noexcept;
  void derive(std::uint32_t slot);  // enqueues
  void compute_refresh();

  const EnsembleSettings settings_;
  const DevicePlan plan_;
  const std::size_t example_bytes_;
  std::unique_ptr<std::byte[]> host_;
  std::unique_ptr<Gpu> gpu_;  // after host_: it waits for its work when it goes
  Layout at_;
  DeviceStore store_;
  std::vector<unsigned> context_lanes_;
  unsigned teacher_lane_ = 0;
  unsigned refresh_lane_ = 0;
  bool as_graph_ = true;
  std::atomic<bool> failed_{false};
  std::size_t active_ = 0;  // which whitening answers use; under teaching_
  Retired retired_;
  std::vector<std::int32_t> diagonal_;  // of the scatter: what may still be added
  std::vector<std::int32_t> closing_;   // the sums of a class on its way out
  // Host's copies, so that asking does not wait for the device.
  std::unique_ptr<std::atomic<std::int32_t>[]> class_counts_;
  std::unique_ptr<std::atomic<std::int32_t>[]> class_clipped_;

  // Taken in this order. teaching_ serialises everything that changes the store; enqueueing_ is
  // held only while work is handed to the device, never while waiting for it.
  std::mutex refreshing_;
  std::mutex teaching_;
  std::mutex enqueueing_;
};

std::unique_ptr<Ensemble> make_gpu_ensemble(const EnsembleSettings& settings,
                                            Span<const std::int8_t> keys, std::unique_ptr<Gpu> gpu,
                                            Span<void* const> streams = {});

template <class Work>
Status GpuEnsemble::guarded(const char* what, const Work& work) noexcept {
  // Once a call has failed the store may hold half of it: nothing more is taken from it or saved.
  if (failed_.load()) return Status::kDeviceFailed;
  try {
    return work();
  } catch (const std::exception& error) {
    failed_.store(true);
    try {
      log_failure(what, error);
    } catch (...) {  // no memory for the message; the status says enough
    }
  }
  return Status::kDeviceFailed;
}

template <class Enqueue>
void GpuEnsemble::change(const Enqueue& enqueue) {
  {
    const std::lock_guard<std::mutex> handing_over(enqueueing_);
    for (const unsigned lane : context_lanes_) gpu_->order_after(teacher_lane_, lane);
    enqueue();
    gpu_->mark(teacher_lane_);
  }
  gpu_->wait(teacher_lane_);
}

template <class Enqueue>
void GpuEnsemble::fetch(const Enqueue& enqueue) {
  {
    const std::lock_guard<std::mutex> handing_over(enqueueing_);
    gpu_->order_after(refresh_lane_, teacher_lane_);
    enqueue(refresh_lane_);
    gpu_->mark(refresh_lane_);
  }
  gpu_->wait(refresh_lane_);
}

}  // namespace jackdaw::cuda
