// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one owner of anything CUDA hands out: stream, event, graph, device memory, pinned memory.
//
//   cudaStream_t raw = nullptr;
//   JACKDAW_CHECK_CUDA(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
//   Stream stream(raw);
//   cudaStreamSynchronize(stream.get());
//
// Move-only; what it held is released before it takes something else. Releasing never throws; when
// the process is ending and CUDA is gone already, that is not an error.

#include <cuda_runtime_api.h>

#include <string>
#include <utility>

#include "jackdaw/log.hpp"

namespace jackdaw::cuda {

template <class Traits>
class UniqueHandle {
 public:
  using Handle = typename Traits::Handle;

  UniqueHandle() noexcept = default;
  explicit UniqueHandle(Handle handle) noexcept : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    if (this == &other) return *this;
    release();
    handle_ = std::exchange(other.handle_, nullptr);
    return *this;
  }
  ~UniqueHandle() { release(); }

  [[nodiscard]] Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  void release() noexcept {
    if (handle_ == nullptr) return;
    const cudaError_t code = Traits::release(std::exchange(handle_, nullptr));
    if (code == cudaSuccess || code == cudaErrorCudartUnloading) return;
    cudaGetLastError();
    try {
      log(LogLevel::kWarning,
          std::string("CUDA could not release a ") + Traits::kName + ": " + cudaGetErrorName(code));
    } catch (...) {  // no memory for the message
    }
  }

  Handle handle_ = nullptr;
};

struct StreamTraits {
  using Handle = cudaStream_t;
  static constexpr const char* kName = "stream";
  static cudaError_t release(Handle h) noexcept { return cudaStreamDestroy(h); }
};
struct EventTraits {
  using Handle = cudaEvent_t;
  static constexpr const char* kName = "event";
  static cudaError_t release(Handle h) noexcept { return cudaEventDestroy(h); }
};
struct GraphTraits {
  using Handle = cudaGraph_t;
  static constexpr const char* kName = "graph";
  static cudaError_t release(Handle h) noexcept { return cudaGraphDestroy(h); }
};
struct GraphExecTraits {
  using Handle = cudaGraphExec_t;
  static constexpr const char* kName = "executable graph";
  static cudaError_t release(Handle h) noexcept { return cudaGraphExecDestroy(h); }
};
struct DeviceMemoryTraits {
  using Handle = void*;
  static constexpr const char* kName = "block of device memory";
  static cudaError_t release(Handle h) noexcept { return cudaFree(h); }
};
struct PinnedMemoryTraits {
  using Handle = void*;
  static constexpr const char* kName = "block of pinned memory";
  static cudaError_t release(Handle h) noexcept { return cudaFreeHost(h); }
};

using Stream = UniqueHandle<StreamTraits>;
using Event = UniqueHandle<EventTraits>;
using Graph = UniqueHandle<GraphTraits>;
using GraphExec = UniqueHandle<GraphExecTraits>;
using DeviceMemory = UniqueHandle<DeviceMemoryTraits>;
using PinnedMemory = UniqueHandle<PinnedMemoryTraits>;

}  // namespace jackdaw::cuda
