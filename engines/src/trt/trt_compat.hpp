// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What differs between TensorRT 8.5, 8.6, 10 and 11, as functions that are the same for all. The
// only file that asks for the version.
//
//   Owned<nvinfer1::IBuilder> builder(compat::create_builder(logger));
//   Owned<nvinfer1::INetworkDefinition> network(builder->createNetworkV2(compat::network_flags()));

#include <NvInfer.h>
#include <NvOnnxParser.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#define JACKDAW_TRT_AT_LEAST(major, minor) \
  (NV_TENSORRT_MAJOR > (major) || (NV_TENSORRT_MAJOR == (major) && NV_TENSORRT_MINOR >= (minor)))

#if !JACKDAW_TRT_AT_LEAST(8, 5)
#error \
    "TensorRT 8.5 or newer is needed (JetPack 5.1 or newer): older ones address tensors by number"
#endif

namespace jackdaw::trt {

// Since 8.0 every object of TensorRT is released by deleting it.
template <class T>
using Owned = std::unique_ptr<T>;

namespace compat {

using Extent = std::remove_extent_t<decltype(nvinfer1::Dims::d)>;  // 32 bits below 10, then 64

// TensorRT-RTX, with which the tests build without a GPU, counts its versions by itself, so the
// check against the headers' number would refuse it.
inline nvinfer1::IBuilder* create_builder(nvinfer1::ILogger& logger) {
#ifdef JACKDAW_TRT_RTX
  return static_cast<nvinfer1::IBuilder*>(
      createInferBuilder_INTERNAL(&logger, getInferLibVersion()));
#else
  return nvinfer1::createInferBuilder(logger);
#endif
}

// From 10 on the types are the graph's own; before, the builder chose them.
inline std::uint32_t network_flags() {
#if JACKDAW_TRT_AT_LEAST(11, 0)
  return 0;
#elif JACKDAW_TRT_AT_LEAST(10, 0)
  return 1U << static_cast<std::uint32_t>(nvinfer1::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
#else
  return 1U << static_cast<std::uint32_t>(nvinfer1::NetworkDefinitionCreationFlag::kEXPLICIT_BATCH);
#endif
}

// Before 10 the builder has to be allowed the types that the graph is written in.
inline void allow_types([[maybe_unused]] nvinfer1::IBuilderConfig& config,
                        [[maybe_unused]] const nvinfer1::INetworkDefinition& network,
                        [[maybe_unused]] bool half) {
#if !JACKDAW_TRT_AT_LEAST(10, 0)
  if (half) config.setFlag(nvinfer1::BuilderFlag::kFP16);
  for (int i = 0; i < network.getNbLayers(); ++i) {
    if (network.getLayer(i)->getType() == nvinfer1::LayerType::kQUANTIZE) {
      config.setFlag(nvinfer1::BuilderFlag::kINT8);
      break;
    }
  }
#endif
}

#if JACKDAW_TRT_AT_LEAST(10, 0)
using ProgressMonitor = nvinfer1::IProgressMonitor;
inline void set_progress_monitor(nvinfer1::IBuilderConfig& config, ProgressMonitor& monitor) {
  config.setProgressMonitor(&monitor);
}
#else
// Never called: there is nobody to tell before 10.
class ProgressMonitor {
 public:
  virtual ~ProgressMonitor() noexcept = default;
  virtual void phaseStart(char const* name, char const* parent, std::int32_t steps) noexcept = 0;
  virtual bool stepComplete(char const* name, std::int32_t step) noexcept = 0;
  virtual void phaseFinish(char const* name) noexcept = 0;
};
inline void set_progress_monitor(nvinfer1::IBuilderConfig&, ProgressMonitor&) {}
#endif

// A context whose scratch memory we bring ourselves.
inline nvinfer1::IExecutionContext* create_context(nvinfer1::ICudaEngine& engine) {
#if JACKDAW_TRT_AT_LEAST(10, 0)
  return engine.createExecutionContext(nvinfer1::ExecutionContextAllocationStrategy::kUSER_MANAGED);
#else
  return engine.createExecutionContextWithoutDeviceMemory();
#endif
}

inline std::size_t scratch_bytes(const nvinfer1::ICudaEngine& engine) {
#if JACKDAW_TRT_AT_LEAST(10, 1)
  return static_cast<std::size_t>(engine.getDeviceMemorySizeV2());
#else
  return engine.getDeviceMemorySize();
#endif
}

inline void give_scratch(nvinfer1::IExecutionContext& context, void* memory,
                         [[maybe_unused]] std::size_t bytes) {
#if JACKDAW_TRT_AT_LEAST(10, 1)
  context.setDeviceMemoryV2(memory, static_cast<std::int64_t>(bytes));
#else
  context.setDeviceMemory(memory);
#endif
}

}  // namespace compat
}  // namespace jackdaw::trt
