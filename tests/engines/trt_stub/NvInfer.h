// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of TensorRT 10.3 that the encoder uses, played on the CPU (trt_stub.cpp); written from
// the names that our code calls, with nothing of NVIDIA's. An engine is the text of a StubPlan.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <string>

#define NV_TENSORRT_MAJOR 10
#define NV_TENSORRT_MINOR 3
#define NV_TENSORRT_PATCH 0

namespace nvinfer1 {

using AsciiChar = char;

class ILogger {
 public:
  enum class Severity : std::int32_t { kINTERNAL_ERROR, kERROR, kWARNING, kINFO, kVERBOSE };
  virtual void log(Severity severity, AsciiChar const* text) noexcept = 0;
  virtual ~ILogger() = default;
};

struct Dims {
  std::int32_t nbDims = 0;
  std::int64_t d[8] = {};
};
struct Dims4 : Dims {
  Dims4(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t e) {
    nbDims = 4;
    d[0] = a, d[1] = b, d[2] = c, d[3] = e;
  }
};

enum class DataType : std::int32_t { kFLOAT, kHALF };
enum class TensorIOMode : std::int32_t { kNONE, kINPUT, kOUTPUT };
enum class OptProfileSelector : std::int32_t { kMIN, kOPT, kMAX };
enum class ExecutionContextAllocationStrategy : std::int32_t { kSTATIC, kUSER_MANAGED };
enum class NetworkDefinitionCreationFlag : std::int32_t { kSTRONGLY_TYPED = 1 };

class IHostMemory {
 public:
  void* data() const noexcept { return const_cast<char*>(bytes.data()); }
  std::size_t size() const noexcept { return bytes.size(); }
  std::string bytes;
};

class IProgressMonitor {
 public:
  virtual ~IProgressMonitor() = default;
  virtual void phaseStart(char const* name, char const* parent, std::int32_t steps) noexcept = 0;
  virtual bool stepComplete(char const* name, std::int32_t step) noexcept = 0;
  virtual void phaseFinish(char const* name) noexcept = 0;
};
class IBuilderConfig {
 public:
  void setProgressMonitor(IProgressMonitor*) {}
};
class IBuilder {};
class INetworkDefinition {};

// What a stub engine is and does wrong. The embedding of a picture is the mean of its input, plus
// the place in the embedding.
struct StubPlan {
  std::int64_t channels = 3, height = 4, width = 4, output_size = 5;
  std::int64_t least = 1, most = 4;
  bool open_batch = true;
  bool half_input = false;
  std::int64_t more_output = 0;  // numbers that no manifest knows of
  std::size_t scratch = 100;
};

class IExecutionContext {
 public:
  explicit IExecutionContext(const StubPlan& plan);
  ~IExecutionContext();
  void setDeviceMemoryV2(void* memory, std::int64_t bytes) noexcept;
  bool setTensorAddress(char const* name, void* address) noexcept;
  bool setInputShape(char const* name, Dims const& shape) noexcept;
  Dims getTensorShape(char const* name) const noexcept;
  bool enqueueV3(cudaStream_t stream) noexcept;

 private:
  StubPlan plan_;
  std::int64_t batch_;
  void* scratch_ = nullptr;
  std::map<std::string, void*> addresses_;
};

class ICudaEngine {
 public:
  explicit ICudaEngine(const StubPlan& plan);
  ~ICudaEngine();
  std::int32_t getNbIOTensors() const noexcept { return 2; }
  TensorIOMode getTensorIOMode(char const* name) const noexcept;
  DataType getTensorDataType(char const* name) const noexcept;
  Dims getTensorShape(char const* name) const noexcept;
  Dims getProfileShape(char const* name, std::int32_t, OptProfileSelector which) const noexcept;
  std::int64_t getDeviceMemorySizeV2() const noexcept;
  IExecutionContext* createExecutionContext(ExecutionContextAllocationStrategy) noexcept;

 private:
  StubPlan plan_;
};

class IRuntime {
 public:
  explicit IRuntime(ILogger& logger);
  ~IRuntime();
  ICudaEngine* deserializeCudaEngine(void const* plan, std::size_t bytes) noexcept;

 private:
  ILogger& logger_;
};

IRuntime* createInferRuntime(ILogger& logger);
IBuilder* createInferBuilder(ILogger& logger);

// How the tests watch the stub; StubCuda steers both.
struct Stub {
  int runs = 0;       // of an engine
  long pictures = 0;  // in all runs together
  int shapes = 0;     // calls of setInputShape
};
extern Stub stub;

}  // namespace nvinfer1

extern "C" std::int32_t getInferLibVersion() noexcept;
