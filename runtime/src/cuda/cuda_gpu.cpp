// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cuda/cuda_gpu.hpp"

#include <vector>

#include "cuda/check.hpp"
#include "cuda/unique_handle.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"

namespace jackdaw::cuda {
namespace {

// A stream, and the event that says how far others may rely on it.
struct Lane {
  Stream own;
  cudaStream_t stream = nullptr;
  Event marked;
  GraphExec predict;
};

class CudaGpu final : public Gpu {
 public:
  CudaGpu() {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
      cudaGetLastError();
      throw CudaError(std::string("no CUDA device answers: ") +
                      (code == cudaSuccess ? "none is there" : cudaGetErrorString(code)) +
                      " (cudaGetDeviceCount: " + cudaGetErrorName(code) + ")");
    }
    JACKDAW_CHECK_CUDA(cudaSetDevice(0));
    cudaDeviceProp properties{};
    JACKDAW_CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
    name_ = std::string(properties.name) + " (sm_" + std::to_string(properties.major) +
            std::to_string(properties.minor) + ")";
    int can_map = 0;
    JACKDAW_CHECK_CUDA(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
    if (can_map == 0) throw CudaError(name_ + " cannot map host memory");
    set_up_ = make_stream(Urgency::kBackground);
  }

  ~CudaGpu() override {
    // Nothing may still run on memory that is about to be freed.
    for (const Lane& lane : lanes_) cudaStreamSynchronize(lane.stream);
  }

  std::string name() const override { return name_; }

  std::byte* allocate(std::size_t bytes) override {
    void* raw = nullptr;
    const std::string what = "allocate " + std::to_string(bytes) + " bytes of device memory";
    check(cudaMalloc(&raw, bytes), what.c_str(), __FILE__, __LINE__);
    device_.emplace_back(raw);
    JACKDAW_CHECK_CUDA(cudaMemsetAsync(raw, 0, bytes, set_up_.get()));
    JACKDAW_CHECK_CUDA(cudaStreamSynchronize(set_up_.get()));
    return static_cast<std::byte*>(raw);
  }

  Mapped allocate_mapped(std::size_t bytes) override {
    void* host = nullptr;
    const std::string what = "allocate " + std::to_string(bytes) + " bytes of pinned memory";
    check(cudaHostAlloc(&host, bytes, cudaHostAllocMapped | cudaHostAllocPortable), what.c_str(),
          __FILE__, __LINE__);
    pinned_.emplace_back(host);
    void* device = nullptr;
    JACKDAW_CHECK_CUDA(cudaHostGetDevicePointer(&device, host, 0));
    for (std::size_t i = 0; i < bytes; ++i) static_cast<std::byte*>(host)[i] = std::byte{0};
    return {static_cast<std::byte*>(host), static_cast<std::byte*>(device)};
  }

  unsigned add_lane(Urgency urgency, void* stream) override {
    Lane lane;
    if (stream == nullptr) lane.own = make_stream(urgency);
    lane.stream = stream == nullptr ? lane.own.get() : static_cast<cudaStream_t>(stream);
    cudaEvent_t event = nullptr;
    JACKDAW_CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    lane.marked = Event(event);
    lanes_.push_back(std::move(lane));
    return static_cast<unsigned>(lanes_.size() - 1);
  }

  bool record_predict(unsigned lane, const DeviceStore& store, const Query& query) override {
    try {
      // On a stream of our own: the caller's may be one that cannot be captured.
      lanes_[lane].predict = capture(set_up_.get(), store, query);
      return true;
    } catch (const CudaError& error) {
      log(LogLevel::kWarning,
          std::string("answers are launched kernel by kernel, not as a graph: ") + error.what());
      return false;
    }
  }

  void load_kernels(const DeviceStore& store) override { cuda::load_kernels(store); }

  void order_after(unsigned lane, unsigned other) override {
    JACKDAW_CHECK_CUDA(cudaStreamWaitEvent(lanes_[lane].stream, lanes_[other].marked.get(), 0));
  }
  void order_after_event(unsigned lane, void* event) override {
    if (event == nullptr) return;
    JACKDAW_CHECK_CUDA(
        cudaStreamWaitEvent(lanes_[lane].stream, static_cast<cudaEvent_t>(event), 0));
  }
  void mark(unsigned lane) override {
    JACKDAW_CHECK_CUDA(cudaEventRecord(lanes_[lane].marked.get(), lanes_[lane].stream));
  }
  void wait(unsigned lane) override {
    JACKDAW_CHECK_CUDA(cudaEventSynchronize(lanes_[lane].marked.get()));
  }

  void copy(unsigned lane, void* to, const void* from, std::size_t bytes) override {
    JACKDAW_CHECK_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, lanes_[lane].stream));
  }
  void copy_pieces(unsigned lane, Pieces to, Pieces from, std::size_t width,
                   std::size_t rows) override {
    JACKDAW_CHECK_CUDA(cudaMemcpy2DAsync(to.at, to.pitch, from.at, from.pitch, width, rows,
                                         cudaMemcpyDefault, lanes_[lane].stream));
  }
  void clear_pieces(unsigned lane, Pieces at, std::size_t width, std::size_t rows) override {
    JACKDAW_CHECK_CUDA(cudaMemset2DAsync(at.at, at.pitch, 0, width, rows, lanes_[lane].stream));
  }

  void admit(unsigned lane, const DeviceStore& store, const Query& query,
             const float* embedding) override {
    enqueue_admit(lanes_[lane].stream, store, query, embedding);
  }
  void predict(unsigned lane, const DeviceStore& store, const Query& query,
               unsigned batch) override {
    const Lane& l = lanes_[lane];
    if (batch == 1 && l.predict) {
      JACKDAW_CHECK_CUDA(cudaGraphLaunch(l.predict.get(), l.stream));
    } else {
      enqueue_predict(l.stream, store, query, batch);
    }
  }
  void nearest(unsigned lane, const DeviceStore& store, const Query& query,
               std::uint32_t* chosen) override {
    enqueue_nearest(lanes_[lane].stream, store, query, chosen);
  }
  void teach(unsigned lane, const DeviceStore& store, const Teacher& teacher) override {
    enqueue_teach(lanes_[lane].stream, store, teacher);
  }
  void teach_batch(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                   unsigned batch) override {
    enqueue_teach_batch(lanes_[lane].stream, store, teacher, batch);
  }
  void derive(unsigned lane, const DeviceStore& store, const Teacher& teacher) override {
    enqueue_derive(lanes_[lane].stream, store, teacher);
  }
  void refresh_norms(unsigned lane, const DeviceStore& store, const Teacher& teacher,
                     unsigned max_batch) override {
    enqueue_refresh_norms(lanes_[lane].stream, store, teacher, max_batch);
  }

 private:
  static Stream make_stream(Urgency urgency) {
    int least = 0, greatest = 0;
    JACKDAW_CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t raw = nullptr;
    JACKDAW_CHECK_CUDA(cudaStreamCreateWithPriority(
        &raw, cudaStreamNonBlocking, urgency == Urgency::kBackground ? least : greatest));
    return Stream(raw);
  }

  static GraphExec capture(cudaStream_t stream, const DeviceStore& store, const Query& query) {
    JACKDAW_CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    cudaGraph_t raw = nullptr;
    try {
      enqueue_predict(stream, store, query, 1);
    } catch (...) {
      cudaStreamEndCapture(stream, &raw);  // a stream left capturing could not be used again
      const Graph dropped(raw);
      cudaGetLastError();
      throw;
    }
    JACKDAW_CHECK_CUDA(cudaStreamEndCapture(stream, &raw));
    const Graph graph(raw);
    cudaGraphExec_t exec = nullptr;
    JACKDAW_CHECK_CUDA(cudaGraphInstantiateWithFlags(&exec, graph.get(), 0));
    return GraphExec(exec);
  }

  std::string name_;
  Stream set_up_;
  std::vector<DeviceMemory> device_;
  std::vector<PinnedMemory> pinned_;
  std::vector<Lane> lanes_;  // last: destroyed before the memory their work uses
};

}  // namespace

std::unique_ptr<Gpu> make_cuda_gpu() { return std::make_unique<CudaGpu>(); }

}  // namespace jackdaw::cuda
