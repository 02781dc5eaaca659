// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A Gpu without a GPU: device memory is guarded host memory, kernels run in the emulation. Like the
// real one it does nothing when told to, only some time later: launches and copies wait in their
// lane until somebody waits for them, and lanes overtake each other unless they are ordered. So a
// missing order or wait shows as a wrong answer. May be called from several threads.
//
//   auto gpu = std::make_unique<EmulatedGpu>(seed);
//   gpu->fail_at(17);        // the 17th call from now throws CudaError
//   gpu->on_event(finish);   // order_after_event() runs this when the lane gets there

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "cuda/gpu.hpp"
#include "emulation/global_memory.hpp"

namespace jackdaw::emulation {

class EmulatedGpu final : public cuda::Gpu {
 public:
  explicit EmulatedGpu(std::uint64_t seed) : random_(seed) {}

  std::string name() const override { return "emulation"; }
  std::byte* allocate(std::size_t bytes) override;
  cuda::Mapped allocate_mapped(std::size_t bytes) override;
  unsigned add_lane(cuda::Urgency urgency, void* stream) override;
  bool record_predict(unsigned, const cuda::DeviceStore&, const cuda::Query&) override {
    ++recorded_;
    return can_record_;
  }

  void load_kernels(const cuda::DeviceStore&) override { called(); }

  void order_after(unsigned lane, unsigned other) override;
  void order_after_event(unsigned lane, void* event) override;
  void mark(unsigned lane) override;
  void wait(unsigned lane) override;

  void copy(unsigned lane, void* to, const void* from, std::size_t bytes) override;
  void copy_pieces(unsigned lane, cuda::Pieces to, cuda::Pieces from, std::size_t width,
                   std::size_t rows) override;
  void clear_pieces(unsigned lane, cuda::Pieces at, std::size_t width, std::size_t rows) override;
  void admit(unsigned lane, const cuda::DeviceStore& store, const cuda::Query& query,
             const float* embedding) override;
  void predict(unsigned lane, const cuda::DeviceStore& store, const cuda::Query& query,
               unsigned batch) override;
  void nearest(unsigned lane, const cuda::DeviceStore& store, const cuda::Query& query,
               std::uint32_t* chosen) override;
  void teach(unsigned lane, const cuda::DeviceStore& store, const cuda::Teacher& teacher) override;
  void teach_batch(unsigned lane, const cuda::DeviceStore& store, const cuda::Teacher& teacher,
                   unsigned batch) override;
  void derive(unsigned lane, const cuda::DeviceStore& store, const cuda::Teacher& teacher) override;
  void refresh_norms(unsigned lane, const cuda::DeviceStore& store, const cuda::Teacher& teacher,
                     unsigned max_batch) override;

  void refuse_graphs() { can_record_ = false; }
  void fail_at(int call) { fail_at_ = call; }  // 0: never
  // What has to be done before the event is; called at the latest possible moment.
  void on_event(std::function<void(void* event)> finish) { finish_ = std::move(finish); }
  void ignore_order() { ordered_ = false; }  // a fault, for the tests of the tests
  bool failed() const { return failed_; }
  unsigned allocations() const { return allocations_; }
  unsigned recorded() const { return recorded_; }
  void* stream_of(unsigned lane) const { return lanes_[lane].stream; }
  // Pieces that a kernel or copy was found to misuse; taken.
  std::vector<std::string> faults();

 private:
  struct Work {
    std::function<void()> run;  // empty: wait for `other` up to `position`
    unsigned other = 0;
    std::size_t position = 0;
  };
  struct Lane {
    std::deque<Work> queue;
    std::size_t enqueued = 0;
    std::size_t finished = 0;
    std::size_t marked = 0;
    void* stream = nullptr;
  };

  void called();
  void enqueue(unsigned lane, std::function<void()> run);
  void step(
      unsigned lane);  // runs the lane's next piece of work, and first whatever it has to wait for
  void run_until(unsigned lane, std::size_t position);
  template <class Run>
  void enqueue_sequence(unsigned lane, const cuda::DeviceStore& store, const Run& run);
  friend class LaneLauncher;

  mutable std::recursive_mutex guard_;
  std::mt19937_64 random_;
  std::vector<std::unique_ptr<RawBuffer>> memory_;
  std::vector<Lane> lanes_;
  unsigned allocations_ = 0;
  unsigned recorded_ = 0;
  bool can_record_ = true;
  int fail_at_ = 0;
  bool failed_ = false;
  bool ordered_ = true;
  std::function<void(void* event)> finish_;
};

}  // namespace jackdaw::emulation
