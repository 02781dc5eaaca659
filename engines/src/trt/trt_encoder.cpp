// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/trt_encoder.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/check.hpp"
#include "trt/trt_log.hpp"

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
  std::memset(raw, 0, bytes);
  return cuda::PinnedMemory(raw);
}

}  // namespace

TrtEncoder::TrtEncoder(Span<const std::byte> plan, const GraphShape& graph,
                       const Manifest& manifest)
    : graph_(graph),
      input_size_(std::size_t{graph.channels} * graph.height * graph.width),
      preprocess_(manifest) {
  logger().forget();
  runtime_.reset(nvinfer1::createInferRuntime(logger()));
  if (!runtime_) fail("TensorRT's runtime did not start");
  engine_.reset(runtime_->deserializeCudaEngine(plan.data(), plan.size()));
  if (!engine_) fail("TensorRT does not take the stored engine; build it again");
  check_tensors();
  find_batches();
  allocate();
  run(least_);  // once now, so that what cannot work is known before the first frame
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

void TrtEncoder::allocate() {
  cudaStream_t raw = nullptr;
  JACKDAW_CHECK_CUDA(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
  stream_ = cuda::Stream(raw);
  const std::size_t in = input_size_ * most_ * sizeof(float);
  const std::size_t out = std::size_t{graph_.output_size} * most_ * sizeof(float);
  const std::size_t scratch = compat::scratch_bytes(*engine_);
  host_input_ = pinned_memory(in, "allocate pinned memory for pictures");
  host_output_ = pinned_memory(out, "allocate pinned memory for embeddings");
  device_input_ = device_memory(in, "allocate device memory for pictures");
  device_output_ = device_memory(out, "allocate device memory for embeddings");
  scratch_ = device_memory(scratch, "allocate scratch memory for the engine");

  context_.reset(compat::create_context(*engine_));
  if (!context_) fail("TensorRT gave no context to run the engine in");
  compat::give_scratch(*context_, scratch_.get(), scratch);
  if (!context_->setTensorAddress(graph_.input_name.c_str(), device_input_.get()) ||
      !context_->setTensorAddress(graph_.output_name.c_str(), device_output_.get())) {
    fail("TensorRT does not take the memory for pictures and embeddings");
  }
}

void TrtEncoder::run(std::uint32_t batch) {
  if (batch != shaped_for_) {
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
  const std::size_t in = input_size_ * batch * sizeof(float);
  const std::size_t out = std::size_t{graph_.output_size} * batch * sizeof(float);
  JACKDAW_CHECK_CUDA(cudaMemcpyAsync(device_input_.get(), host_input_.get(), in,
                                     cudaMemcpyHostToDevice, stream_.get()));
  if (!context_->enqueueV3(stream_.get())) fail("TensorRT could not run the engine");
  JACKDAW_CHECK_CUDA(cudaMemcpyAsync(host_output_.get(), device_output_.get(), out,
                                     cudaMemcpyDeviceToHost, stream_.get()));
  JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream_.get()));
}

Status TrtEncoder::encode(Span<const FrameView> frames, float* embeddings) {
  logger().forget();
  auto* const input = static_cast<float*>(host_input_.get());
  const auto* const output = static_cast<const float*>(host_output_.get());
  while (!frames.empty()) {
    const std::size_t count = std::min<std::size_t>(frames.size(), most_);
    for (std::size_t i = 0; i < count; ++i) {
      const Status status = preprocess_.run(frames[i], {input + i * input_size_, input_size_});
      if (status != Status::kOk) return status;
    }
    // An engine for no fewer than some pictures gets what the memory holds for those that are
    // missing.
    run(std::max(static_cast<std::uint32_t>(count), least_));
    std::memcpy(embeddings, output, count * graph_.output_size * sizeof(float));
    embeddings += count * graph_.output_size;
    frames = frames.subspan(count);
  }
  return Status::kOk;
}

}  // namespace jackdaw::trt
