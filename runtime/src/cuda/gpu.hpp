// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The GPU as GpuEnsemble sees it: memory, lanes, copies and the sequences. CudaGpu is the real one;
// the tests have one that counts allocations, runs the kernels in the emulation, late and
// interleaved, and can fail.
//
//   unsigned lane = gpu.add_lane(Urgency::kAnswer);
//   gpu.order_after(lane, other);           // what follows on lane starts after what was marked on
//   other gpu.predict(lane, store, query, 1);     // enqueued; returns at once gpu.mark(lane);
//   gpu.wait(lane);                         // the only place where the host waits
//
// Every function throws CudaError when CUDA reports an error. A lane is used by one thread at a
// time, and order_after and mark of all lanes are called under one lock.

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda/sequences.hpp"

namespace jackdaw::cuda {

// Pinned memory that the device can use in place.
struct Mapped {
  std::byte* host = nullptr;
  std::byte* device = nullptr;
};

// Rows of some bytes each, their starts `pitch` bytes apart.
struct Pieces {
  void* at = nullptr;
  std::size_t pitch = 0;
};

// Answers wait for lessons that came before them, so both are urgent; nobody waits for a refresh.
enum class Urgency : std::uint8_t { kAnswer, kLesson = kAnswer, kBackground };

class Gpu {
 public:
  virtual ~Gpu() = default;
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  virtual std::string name() const = 0;  // "Orin (sm_87)"

  // --- set-up -----------------------------------------------------------------------------------
  // Memory is zeroed, and freed with the Gpu.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual Mapped allocate_mapped(std::size_t bytes) = 0;
  // stream: the caller's own cudaStream_t, or null for a new one that does not block on the default
  // stream. Of two new lanes with work to do, the GPU takes blocks of the more urgent one first.
  virtual unsigned add_lane(Urgency urgency, void* stream = nullptr) = 0;
  // Records what predict() of one example does on this lane, to be started at once as a graph from
  // then on. False: that cannot be done; the kernels are launched one by one, and the log says why.
  virtual bool record_predict(unsigned lane, const DeviceStore& store, const Query& query) = 0;
  // Loads the kernels of every sequence, so that the first example to be taught is taught as fast
  // as the others.
  virtual void load_kernels(const DeviceStore& store) = 0;

  // --- order ------------------------------------------------------------------------------------
  virtual void order_after(unsigned lane, unsigned other) = 0;
  // event: somebody else's cudaEvent_t; null: nothing to wait for.
  virtual void order_after_event(unsigned lane, void* event) = 0;
  virtual void mark(unsigned lane) = 0;
  virtual void wait(unsigned lane) = 0;

  // --- work, enqueued on a lane -----------------------------------------------------------------
  virtual void copy(unsigned lane, void* to, const void* from, std::size_t bytes) = 0;
  virtual void copy_pieces(unsigned lane, Pieces to, Pieces from, std::size_t width,
                           std::size_t rows) = 0;
  virtual void clear_pieces(unsigned lane, Pieces at, std::size_t width, std::size_t rows) = 0;
  virtual void admit(unsigned lane, const DeviceStore& store, const Query& query,
                     const float* embedding) = 0;
  virtual void predict(unsigned lane, const DeviceStore& store, const Query& query,
                       unsigned batch) = 0;
  virtual void nearest(unsigned lane, const DeviceStore& store, const Query& query,
                       std::uint32_t* chosen) = 0;
  virtual void teach(unsigned lane, const DeviceStore& store, const Teacher& teacher) = 0;
  virtual void teach_batch(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                           unsigned batch) = 0;
  virtual void derive(unsigned lane, const DeviceStore& store, const Teacher& teacher) = 0;
  virtual void refresh_norms(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                             unsigned max_batch) = 0;

 protected:
  Gpu() = default;
};

}  // namespace jackdaw::cuda
