// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "emulation/emulated_gpu.hpp"

#include <cstring>

#include "cuda/sequences.cuh"
#include "emulation/machine.hpp"
#include "emulation/report.hpp"
#include "jackdaw/error.hpp"

namespace jackdaw::emulation {

using cuda::DeviceStore;
using cuda::Mapped;
using cuda::Pieces;
using cuda::Query;
using cuda::Teacher;

using Lock = std::lock_guard<std::recursive_mutex>;

// Each launch of a sequence is a piece of work of its own in the lane.
class LaneLauncher {
 public:
  LaneLauncher(EmulatedGpu& gpu, unsigned lane) : gpu_(gpu), lane_(lane) {}

  template <class... Parameters, class... Arguments>
  void launch(void (*kernel)(Parameters...), cuda::Grid grid, unsigned threads,
              const Arguments&... arguments) {
    gpu_.enqueue(lane_, [=] {
      emulation::launch({grid.x, grid.y, 1}, threads, [&] { kernel(arguments...); });
    });
  }

  void copy(void* to, const void* from, std::size_t bytes) { gpu_.copy(lane_, to, from, bytes); }

 private:
  EmulatedGpu& gpu_;
  unsigned lane_;
};

void EmulatedGpu::called() {
  if (fail_at_ > 0 && --fail_at_ == 0) {
    failed_ = true;
    throw CudaError("a call: cudaErrorLaunchFailure (made to fail) at emulated_gpu.cpp:0");
  }
}

std::byte* EmulatedGpu::allocate(std::size_t bytes) {
  called();
  ++allocations_;
  memory_.push_back(std::make_unique<RawBuffer>(bytes));
  std::memset(memory_.back()->data(), 0, bytes);
  return memory_.back()->data();
}

Mapped EmulatedGpu::allocate_mapped(std::size_t bytes) {
  std::byte* memory = allocate(bytes);
  return {memory, memory};
}

unsigned EmulatedGpu::add_lane(cuda::Urgency, void* stream) {
  called();
  lanes_.emplace_back();
  lanes_.back().stream = stream;
  return static_cast<unsigned>(lanes_.size() - 1);
}

void EmulatedGpu::enqueue(unsigned lane, std::function<void()> run) {
  const Lock lock(guard_);
  called();
  lanes_[lane].queue.push_back({std::move(run), 0, 0});
  ++lanes_[lane].enqueued;
  if (random_() % 4 == 0) step(static_cast<unsigned>(random_() % lanes_.size()));
}

void EmulatedGpu::order_after(unsigned lane, unsigned other) {
  const Lock lock(guard_);
  called();
  if (!ordered_) return;
  lanes_[lane].queue.push_back({nullptr, other, lanes_[other].marked});
  ++lanes_[lane].enqueued;
}

void EmulatedGpu::order_after_event(unsigned lane, void* event) {
  if (event == nullptr) return;
  enqueue(lane, [this, event] {
    if (ordered_) finish_(event);
  });
}

void EmulatedGpu::mark(unsigned lane) {
  const Lock lock(guard_);
  called();
  lanes_[lane].marked = lanes_[lane].enqueued;
}

void EmulatedGpu::wait(unsigned lane) {
  // One piece at a time, so that other threads come in between.
  for (;;) {
    const Lock lock(guard_);
    if (lanes_[lane].finished >= lanes_[lane].marked) break;
    step(lane);
    if (random_() % 2 == 0) step(static_cast<unsigned>(random_() % lanes_.size()));
  }
  const Lock lock(guard_);
  called();
}

void EmulatedGpu::step(unsigned lane) {
  if (lanes_[lane].queue.empty()) return;
  const Work work = std::move(lanes_[lane].queue.front());
  lanes_[lane].queue.pop_front();
  if (work.run) {
    work.run();
  } else {
    run_until(work.other, work.position);
  }
  ++lanes_[lane].finished;
}

void EmulatedGpu::run_until(unsigned lane, std::size_t position) {
  while (lanes_[lane].finished < position) step(lane);
}

void EmulatedGpu::copy(unsigned lane, void* to, const void* from, std::size_t bytes) {
  enqueue(lane, [=] { std::memcpy(to, from, bytes); });
}

void EmulatedGpu::copy_pieces(unsigned lane, Pieces to, Pieces from, std::size_t width,
                              std::size_t rows) {
  enqueue(lane, [=] {
    for (std::size_t r = 0; r < rows; ++r) {
      std::memcpy(static_cast<std::byte*>(to.at) + r * to.pitch,
                  static_cast<std::byte*>(from.at) + r * from.pitch, width);
    }
  });
}

void EmulatedGpu::clear_pieces(unsigned lane, Pieces at, std::size_t width, std::size_t rows) {
  enqueue(lane, [=] {
    for (std::size_t r = 0; r < rows; ++r)
      std::memset(static_cast<std::byte*>(at.at) + r * at.pitch, 0, width);
  });
}

template <class Run>
void EmulatedGpu::enqueue_sequence(unsigned lane, const DeviceStore& store, const Run& run) {
  LaneLauncher launcher(*this, lane);
  cuda::Sequences<LaneLauncher> sequences(launcher, store);
  run(sequences);
}

void EmulatedGpu::admit(unsigned lane, const DeviceStore& store, const Query& query,
                        const float* embedding) {
  enqueue_sequence(lane, store, [=](auto& s) { s.admit(query, embedding); });
}
void EmulatedGpu::predict(unsigned lane, const DeviceStore& store, const Query& query,
                          unsigned batch) {
  enqueue_sequence(lane, store, [=](auto& s) { s.predict(query, batch); });
}
void EmulatedGpu::nearest(unsigned lane, const DeviceStore& store, const Query& query,
                          std::uint32_t* chosen) {
  enqueue_sequence(lane, store, [=](auto& s) { s.nearest(query, chosen); });
}
void EmulatedGpu::teach(unsigned lane, const DeviceStore& store, const Teacher& teacher) {
  enqueue_sequence(lane, store, [=](auto& s) { s.teach(teacher); });
}
void EmulatedGpu::teach_batch(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                              unsigned batch) {
  enqueue_sequence(lane, store, [=](auto& s) { s.teach_batch(teacher, batch); });
}
void EmulatedGpu::derive(unsigned lane, const DeviceStore& store, const Teacher& teacher) {
  enqueue_sequence(lane, store, [=](auto& s) { s.derive(teacher); });
}
void EmulatedGpu::refresh_norms(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                                unsigned max_batch) {
  enqueue_sequence(lane, store, [=](auto& s) { s.refresh_norms(teacher, max_batch); });
}

std::vector<std::string> EmulatedGpu::faults() {
  std::vector<std::string> all;
  for (const Report& r : take_reports())
    all.push_back(std::string(name_of(r.fault)) + ": " + r.text);
  return all;
}

}  // namespace jackdaw::emulation
