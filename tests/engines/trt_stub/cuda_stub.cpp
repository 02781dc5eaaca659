// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// CUDA's part of the stub. Memory is the emulation's, with guards; the one kernel runs in the
// emulation.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include "emulation/emulated_launcher.hpp"
#include "emulation/global_memory.hpp"
#include "jackdaw/error.hpp"
#include "preprocess/enqueue_preprocess.hpp"
#include "preprocess/preprocess.cuh"

struct CUstream_st {
  std::deque<std::function<void()>> work;
};

struct StubEvent {
  cudaStream_t stream = nullptr;
  bool done = true;
  double at = 0.0;  // milliseconds
};

StubCuda stub_cuda;

namespace {

double clock_milliseconds = 0.0;

std::map<void*, std::unique_ptr<jackdaw::emulation::RawBuffer>>& memory() {
  static std::map<void*, std::unique_ptr<jackdaw::emulation::RawBuffer>> all;
  return all;
}

cudaError_t take(void** out, std::size_t bytes) {
  if (stub_call_fails()) return cudaErrorMemoryAllocation;
  auto block = std::make_unique<jackdaw::emulation::RawBuffer>(bytes);
  *out = block->data();
  std::memset(*out, 0x7F, bytes);  // huge numbers: what is not written is seen
  memory()[*out] = std::move(block);
  ++stub_cuda.live;
  ++stub_cuda.allocations;
  return cudaSuccess;
}

cudaError_t give_back(void* block) {
  memory().erase(block);
  --stub_cuda.live;
  return cudaSuccess;
}

void run_next(cudaStream_t stream) {
  const auto next = std::move(stream->work.front());
  stream->work.pop_front();
  next();
}

}  // namespace

// For a program that opened all of this as a module. The event's work is done:
extern "C" __attribute__((visibility("default"))) void jackdaw_stub_finish(void* event) {
  static_cast<void>(cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
}
// Pieces of work that wait for somebody to wait for them.
extern "C" __attribute__((visibility("default"))) int jackdaw_stub_pending() {
  return stub_cuda.pending;
}

bool stub_call_fails() { return ++stub_cuda.calls == stub_cuda.fail_at; }

void stub_enqueue(cudaStream_t stream, double milliseconds, std::function<void()> work) {
  ++stub_cuda.pending;
  stream->work.emplace_back([milliseconds, work = std::move(work)] {
    work();
    --stub_cuda.pending;
    clock_milliseconds += milliseconds;
  });
}

namespace jackdaw::cuda {

void enqueue_preprocess(cudaStream_t stream, const Target& target, const DeviceFrame* frames,
                        unsigned batch, float* input) {
  if (stub_call_fails()) throw CudaError("the stub does not launch");
  stub_enqueue(stream, stub_cuda.kernel_milliseconds, [=] {
    emulation::EmulatedLauncher launcher;
    launch_preprocess(launcher, target, frames, batch, input);
    ++stub_cuda.kernels;
  });
}

}  // namespace jackdaw::cuda

cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "cudaErrorOfTheStub"; }
const char* cudaGetErrorString(cudaError_t) { return "the stub says no"; }
cudaError_t cudaGetDeviceCount(int* count) {
  *count = stub_cuda.devices;
  return stub_cuda.device_error;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::snprintf(properties->name, sizeof properties->name, "Stub");
  properties->major = 8;
  properties->minor = 7;
  properties->multiProcessorCount = 16;
  properties->totalGlobalMem = 1U << 30U;
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return take(memory, bytes); }
cudaError_t cudaFree(void* memory) { return give_back(memory); }
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return take(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory) { return give_back(memory); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  if (stub_call_fails()) return cudaErrorUnknown;
  *stream = new CUstream_st;
  ++stub_cuda.live;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  while (!stream->work.empty()) run_next(stream);
  return stub_call_fails() ? cudaErrorLaunchFailure : cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  --stub_cuda.live;
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  if (stub_call_fails()) return cudaErrorUnknown;
  stub_enqueue(stream, stub_cuda.copy_milliseconds, [=] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t rows,
                              cudaMemcpyKind, cudaStream_t stream) {
  if (stub_call_fails() || to_pitch < width || from_pitch < width) return cudaErrorUnknown;
  stub_enqueue(stream, stub_cuda.copy_milliseconds, [=] {
    for (std::size_t r = 0; r < rows; ++r) {
      std::memcpy(static_cast<char*>(to) + r * to_pitch,
                  static_cast<const char*>(from) + r * from_pitch, width);
    }
  });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* block, int value, std::size_t bytes, cudaStream_t stream) {
  if (stub_call_fails()) return cudaErrorUnknown;
  stub_enqueue(stream, 0.0, [=] { std::memset(block, value, bytes); });
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  if (stub_call_fails()) return cudaErrorUnknown;
  *event = new StubEvent;
  ++stub_cuda.live;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (stub_call_fails()) return cudaErrorUnknown;
  event->stream = stream;
  event->done = false;
  stub_enqueue(stream, 0.0, [event] {
    event->done = true;
    event->at = clock_milliseconds;
  });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  while (!event->done) run_next(event->stream);
  return stub_call_fails() ? cudaErrorLaunchFailure : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  if (stub_call_fails()) return cudaErrorUnknown;
  if (!from->done || !to->done) return cudaErrorNotReady;
  *milliseconds = static_cast<float>(to->at - from->at);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  --stub_cuda.live;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
