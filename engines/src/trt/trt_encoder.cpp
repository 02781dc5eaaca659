// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/trt_encoder.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cuda/check.hpp"
#include "trt/trt_log.hpp"
#if JACKDAW_HAS_CUDA
#include "trt/device_input.hpp"
#else
#include "trt/host_input.hpp"
#endif

namespace jackdaw::trt {
namespace {

[[noreturn]] void fail(const std::string& what) { throw TrtError(what + logger().because()); }

cuda::DeviceMemory device_memory(std::size_t bytes, const char* what) {
  void* raw = nullptr;
  cuda::check(cudaMalloc(&raw, std::max<std::size_t>(bytes, 1)), what, __FILE__, __LINE__);
  return cuda::DeviceMemory(raw);
}

cuda::PinnedMemory pinned_memory(std::size_t bytes, const char* what) {
  void* raw = nullptr;
  cuda::check(cudaHostAlloc(&raw, bytes, cudaHostAllocPortable), what, __FILE__, __LINE__);
  return cuda::PinnedMemory(raw);
}

cuda::Event timing_event() {
  cudaEvent_t raw = nullptr;
  JACKDAW_CHECK_CUDA(cudaEventCreateWithFlags(&raw, cudaEventDefault));
  return cuda::Event(raw);
}

double seconds_between(const cuda::Event& from, const cuda::Event& to) {
  float milliseconds = 0.0F;
  JACKDAW_CHECK_CUDA(cudaEventElapsedTime(&milliseconds, from.get(), to.get()));
  return static_cast<double>(milliseconds) / 1e3;
}

// Waits at the end of a scope that was left early: copies may still read the caller's frames.
class WaitUnlessDone {
 public:
  explicit WaitUnlessDone(cudaStream_t stream) : stream_(stream) {}
  ~WaitUnlessDone() {
    if (!done_) cudaStreamSynchronize(stream_);
  }
  WaitUnlessDone(const WaitUnlessDone&) = delete;
  WaitUnlessDone& operator=(const WaitUnlessDone&) = delete;
  void done() { done_ = true; }

 private:
  cudaStream_t stream_;
  bool done_ = false;
};

std::unique_ptr<InputStage> make_input([[maybe_unused]] std::size_t staging_bytes,
                                       const Manifest& manifest, std::uint32_t most) {
#if JACKDAW_HAS_CUDA
  constexpr std::size_t kUsual = std::size_t{3840} * 2160 * 3;
  return std::make_unique<DeviceInput>(manifest, most, staging_bytes == 0 ? kUsual : staging_bytes);
#else
  return std::make_unique<HostInput>(manifest, most);
#endif
}

}  // namespace

TrtEncoder::TrtEncoder(Span<const std::byte> plan, const GraphShape& graph,
                       const Manifest& manifest, std::size_t staging_bytes)
    : graph_(graph) {
  logger().forget();
  runtime_.reset(nvinfer1::createInferRuntime(logger()));
  if (!runtime_) fail("TensorRT's runtime did not start");
  engine_.reset(runtime_->deserializeCudaEngine(plan.data(), plan.size()));
  if (!engine_) fail("TensorRT does not take the stored engine; build it again");
  check_tensors();
  find_batches();
  allocate(manifest, staging_bytes);
  warm_up();
}

TrtEncoder::~TrtEncoder() {
  // Nothing may still run on memory that is about to be freed.
  if (stream_) cudaStreamSynchronize(stream_.get());
}

void TrtEncoder::check_tensors() {
  const auto is_float = [&](const std::string& name, nvinfer1::TensorIOMode mode) {
    return engine_->getTensorIOMode(name.c_str()) == mode &&
           engine_->getTensorDataType(name.c_str()) == nvinfer1::DataType::kFLOAT;
  };
  if (engine_->getNbIOTensors() != 2 ||
      !is_float(graph_.input_name, nvinfer1::TensorIOMode::kINPUT) ||
      !is_float(graph_.output_name, nvinfer1::TensorIOMode::kOUTPUT)) {
    fail("the stored engine has not just the float input '" + graph_.input_name +
         "' and the float output '" + graph_.output_name + "' of the manifest; build it again");
  }
}

void TrtEncoder::find_batches() {
  const char* name = graph_.input_name.c_str();
  nvinfer1::Dims shape = engine_->getTensorShape(name);
  nvinfer1::Dims least = shape, most = shape;
  if (shape.nbDims == 4 && shape.d[0] < 0) {
    least = engine_->getProfileShape(name, 0, nvinfer1::OptProfileSelector::kMIN);
    most = engine_->getProfileShape(name, 0, nvinfer1::OptProfileSelector::kMAX);
  }
  const bool fits = most.nbDims == 4 && least.nbDims == 4 && least.d[0] >= 1 &&
                    most.d[0] >= least.d[0] &&
                    most.d[1] == static_cast<std::int64_t>(graph_.channels) &&
                    most.d[2] == static_cast<std::int64_t>(graph_.height) &&
                    most.d[3] == static_cast<std::int64_t>(graph_.width);
  if (!fits) fail("the stored engine's input is not of the manifest's size; build it again");
  least_ = static_cast<std::uint32_t>(least.d[0]);
  most_ = static_cast<std::uint32_t>(most.d[0]);
}

void TrtEncoder::allocate(const Manifest& manifest, std::size_t staging_bytes) {
  cudaStream_t raw = nullptr;
  JACKDAW_CHECK_CUDA(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
  stream_ = cuda::Stream(raw);
  for (cuda::Event* event : {&begun_, &prepared_, &done_}) *event = timing_event();
  input_ = make_input(staging_bytes, manifest, most_);
  const std::size_t in =
      std::size_t{graph_.channels} * graph_.height * graph_.width * most_ * sizeof(float);
  const std::size_t out = std::size_t{graph_.output_size} * most_ * sizeof(float);
  const std::size_t scratch = compat::scratch_bytes(*engine_);
  host_output_ = pinned_memory(out, "allocate pinned memory for embeddings");
  device_input_ = device_memory(in, "allocate device memory for pictures");
  device_output_ = device_memory(out, "allocate device memory for embeddings");
  scratch_ = device_memory(scratch, "allocate scratch memory for the engine");
  // An engine for no fewer than some pictures computes on what is here for those that are missing.
  JACKDAW_CHECK_CUDA(cudaMemsetAsync(device_input_.get(), 0, in, stream_.get()));

  context_.reset(compat::create_context(*engine_));
  if (!context_) fail("TensorRT gave no context to run the engine in");
  compat::give_scratch(*context_, scratch_.get(), scratch);
  if (!context_->setTensorAddress(graph_.input_name.c_str(), device_input_.get()) ||
      !context_->setTensorAddress(graph_.output_name.c_str(), device_output_.get())) {
    fail("TensorRT does not take the memory for pictures and embeddings");
  }
}

// So that what cannot work is known before the first frame, and every kernel is loaded.
void TrtEncoder::warm_up() {
  FrameView frame;
  frame.format = PixelFormat::kGrey;
  frame.width = graph_.width;
  frame.height = graph_.height;
  frame.stride = graph_.width;
  const std::vector<std::byte> black(std::size_t{graph_.width} * graph_.height);
  frame.data = black.data();
  jackdaw_trt_embedding embedding{};
  if (const Status status = encode_on_device(frame, embedding); status != Status::kOk) {
    fail(std::string("the first run failed: ") + describe(status));
  }
  times();
  JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream_.get()));
}

void TrtEncoder::set_batch(std::uint32_t batch) {
  if (batch == shaped_for_) return;
  shaped_for_ = 0;
  const nvinfer1::Dims4 shape(
      static_cast<std::int32_t>(batch), static_cast<std::int32_t>(graph_.channels),
      static_cast<std::int32_t>(graph_.height), static_cast<std::int32_t>(graph_.width));
  if (!context_->setInputShape(graph_.input_name.c_str(), shape)) {
    fail("TensorRT does not take " + std::to_string(batch) + " pictures at once");
  }
  const nvinfer1::Dims given = context_->getTensorShape(graph_.output_name.c_str());
  std::int64_t values = given.nbDims > 0 ? 1 : 0;
  for (int i = 0; i < given.nbDims; ++i) values *= given.d[i];
  const std::int64_t wanted = std::int64_t{graph_.output_size} * batch;
  // Before the run: an engine that gives more would write past the memory it was given.
  if (values != wanted) {
    fail("for " + std::to_string(batch) + " pictures the engine gives " + std::to_string(values) +
         " numbers, not the " + std::to_string(wanted) + " of the manifest");
  }
  shaped_for_ = batch;
}

Status TrtEncoder::enqueue(Span<const FrameView> frames, std::uint32_t& taken) {
  timing_ = false;
  JACKDAW_CHECK_CUDA(cudaEventRecord(begun_.get(), stream_.get()));
  const Status status =
      input_->enqueue(frames.first(std::min<std::size_t>(frames.size(), most_)),
                      static_cast<float*>(device_input_.get()), stream_.get(), taken);
  if (status != Status::kOk) return status;
  JACKDAW_CHECK_CUDA(cudaEventRecord(prepared_.get(), stream_.get()));
  set_batch(std::max(taken, least_));
  if (!context_->enqueueV3(stream_.get())) fail("TensorRT could not run the engine");
  JACKDAW_CHECK_CUDA(cudaEventRecord(done_.get(), stream_.get()));
  timing_ = true;
  return Status::kOk;
}

void TrtEncoder::add_times() {
  timing_ = false;
  times_.preprocess += seconds_between(begun_, prepared_);
  times_.encode += seconds_between(prepared_, done_);
}

jackdaw_trt_times TrtEncoder::times() {
  if (timing_) {
    JACKDAW_CHECK_CUDA(cudaEventSynchronize(done_.get()));
    add_times();
  }
  return times_;
}

Status TrtEncoder::encode(Span<const FrameView> frames, float* embeddings) {
  logger().forget();
  times_ = {};
  // Work that nobody has waited for yet reads what is about to be written.
  JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream_.get()));
  WaitUnlessDone wait(stream_.get());
  while (!frames.empty()) {
    std::uint32_t taken = 0;
    if (const Status status = enqueue(frames, taken); status != Status::kOk) return status;
    const std::size_t bytes = std::size_t{graph_.output_size} * taken * sizeof(float);
    JACKDAW_CHECK_CUDA(cudaMemcpyAsync(host_output_.get(), device_output_.get(), bytes,
                                       cudaMemcpyDeviceToHost, stream_.get()));
    JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream_.get()));
    add_times();
    std::memcpy(embeddings, host_output_.get(), bytes);
    embeddings += std::size_t{taken} * graph_.output_size;
    frames = frames.subspan(taken);
  }
  wait.done();
  return Status::kOk;
}

Status TrtEncoder::encode_on_device(const FrameView& frame, jackdaw_trt_embedding& embedding) {
  logger().forget();
  times_ = {};
  JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream_.get()));  // as above
  WaitUnlessDone wait(stream_.get());
  std::uint32_t taken = 0;
  if (const Status status = enqueue({&frame, 1}, taken); status != Status::kOk) return status;
  wait.done();
  embedding = {static_cast<const float*>(device_output_.get()), done_.get()};
  return Status::kOk;
}

}  // namespace jackdaw::trt
