// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <NvInfer.h>

#include <cstring>

namespace nvinfer1 {

Stub stub;

namespace {

bool fails() { return stub_call_fails(); }
bool is(const char* name, const char* other) { return std::strcmp(name, other) == 0; }

}  // namespace

IRuntime::IRuntime(ILogger& logger) : logger_(logger) { ++stub_cuda.live; }
IRuntime::~IRuntime() { --stub_cuda.live; }

ICudaEngine* IRuntime::deserializeCudaEngine(void const* plan, std::size_t bytes) noexcept {
  if (fails() || bytes != sizeof(StubPlan)) {
    logger_.log(ILogger::Severity::kERROR, "the stub does not like the plan");
    logger_.log(ILogger::Severity::kERROR, "and then some");
    return nullptr;
  }
  StubPlan read;
  std::memcpy(&read, plan, sizeof read);
  return new ICudaEngine(read);
}

ICudaEngine::ICudaEngine(const StubPlan& plan) : plan_(plan) { ++stub_cuda.live; }
ICudaEngine::~ICudaEngine() { --stub_cuda.live; }
TensorIOMode ICudaEngine::getTensorIOMode(char const* name) const noexcept {
  return is(name, "image")       ? TensorIOMode::kINPUT
         : is(name, "embedding") ? TensorIOMode::kOUTPUT
                                 : TensorIOMode::kNONE;
}
DataType ICudaEngine::getTensorDataType(char const* name) const noexcept {
  return is(name, "image") && plan_.half_input ? DataType::kHALF : DataType::kFLOAT;
}
Dims ICudaEngine::getTensorShape(char const*) const noexcept {
  return Dims4(plan_.open_batch ? -1 : plan_.most, plan_.channels, plan_.height, plan_.width);
}
Dims ICudaEngine::getProfileShape(char const*, std::int32_t,
                                  OptProfileSelector which) const noexcept {
  return Dims4(which == OptProfileSelector::kMIN ? plan_.least : plan_.most, plan_.channels,
               plan_.height, plan_.width);
}
std::int64_t ICudaEngine::getDeviceMemorySizeV2() const noexcept {
  return static_cast<std::int64_t>(plan_.scratch);
}
IExecutionContext* ICudaEngine::createExecutionContext(
    ExecutionContextAllocationStrategy) noexcept {
  return fails() ? nullptr : new IExecutionContext(plan_);
}

IExecutionContext::IExecutionContext(const StubPlan& plan) : plan_(plan), batch_(plan.most) {
  ++stub_cuda.live;
}
IExecutionContext::~IExecutionContext() { --stub_cuda.live; }
void IExecutionContext::setDeviceMemoryV2(void* memory, std::int64_t bytes) noexcept {
  if (bytes == static_cast<std::int64_t>(plan_.scratch)) scratch_ = memory;
}
bool IExecutionContext::setTensorAddress(char const* name, void* address) noexcept {
  if (fails()) return false;
  addresses_[name] = address;
  return true;
}
bool IExecutionContext::setInputShape(char const*, Dims const& shape) noexcept {
  ++stub.shapes;
  const std::int64_t least = plan_.open_batch ? plan_.least : plan_.most;
  const bool good = !fails() && shape.d[0] >= least && shape.d[0] <= plan_.most;
  batch_ = good ? shape.d[0] : 0;  // after a refusal nothing is left of the shape of before
  return good;
}
Dims IExecutionContext::getTensorShape(char const*) const noexcept {
  Dims shape;
  shape.nbDims = 2;
  shape.d[0] = batch_;
  shape.d[1] = plan_.output_size + plan_.more_output;
  return shape;
}
bool IExecutionContext::enqueueV3(cudaStream_t stream) noexcept {
  if (fails() || scratch_ == nullptr) return false;
  stub_enqueue(stream, stub_cuda.run_milliseconds, [this] {
    ++stub.runs;
    stub.pictures += batch_;
    std::memset(scratch_, 1, plan_.scratch);
    const auto* in = static_cast<const float*>(addresses_["image"]);
    auto* out = static_cast<float*>(addresses_["embedding"]);
    const std::int64_t size = plan_.channels * plan_.height * plan_.width;
    for (std::int64_t b = 0; b < batch_; ++b) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < size; ++i) sum += static_cast<double>(*in++);
      const auto mean = static_cast<float>(sum / static_cast<double>(size));
      for (std::int64_t j = 0; j < plan_.output_size; ++j) *out++ = mean + static_cast<float>(j);
    }
  });
  return true;
}

IRuntime* createInferRuntime(ILogger& logger) { return fails() ? nullptr : new IRuntime(logger); }
IBuilder* createInferBuilder(ILogger&) { return nullptr; }

}  // namespace nvinfer1

std::int32_t getInferLibVersion() noexcept { return 100300; }
