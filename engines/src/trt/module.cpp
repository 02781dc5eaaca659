// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The module's side of module.h: plain C outside, exceptions inside, and none of them gets out.

#include "trt/module.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "cuda/check.hpp"
#include "jackdaw/log.hpp"
#include "jackdaw/status.hpp"
#include "trt/engine_builder.hpp"
#include "trt/trt_encoder.hpp"
#include "trt/trt_log.hpp"

struct jackdaw_trt_encoder {
  jackdaw::trt::TrtEncoder encoder;
  std::vector<jackdaw::FrameView> frames;
};

namespace jackdaw::trt {
namespace {

void put(jackdaw_trt_message* message, const char* text) noexcept {
  std::snprintf(message->text, sizeof message->text, "%s", text);
}

// Runs what may throw; whatever it throws becomes a code and a sentence.
template <class Work>
int guarded(jackdaw_trt_message* message, Work work) noexcept {
  try {
    return work();
  } catch (const BuildCancelled& error) {
    put(message, error.what());
    return JACKDAW_TRT_CANCELLED;
  } catch (const std::bad_alloc&) {
    put(message, "there is not enough memory");
  } catch (const std::exception& error) {
    put(message, error.what());
  } catch (...) {
    put(message, "something that is no exception of C++ was thrown");
  }
  return JACKDAW_TRT_FAILED;
}

const char* tensorrt_version() noexcept {
  static const std::string text = [] {
    const int version = getInferLibVersion();
    const int major = version < 10000 ? version / 1000 : version / 10000;
    const int minor = (version < 10000 ? version % 1000 : version % 10000) / 100;
    return std::to_string(major) + "." + std::to_string(minor) + "." +
           std::to_string(version % 100);
  }();
  return text.c_str();
}

void set_log(void (*log)(void* user, int level, const char* text), void* user) noexcept {
  logger().set(log, user);
  // The module has a copy of its own of Jackdaw's log; it speaks through the same function.
  jackdaw::set_log([](LogLevel level, const char* text) {
    logger().say(level == LogLevel::kInfo      ? JACKDAW_TRT_INFO
                 : level == LogLevel::kWarning ? JACKDAW_TRT_WARNING
                                               : JACKDAW_TRT_ERROR,
                 text);
  });
}

int find_device(jackdaw_trt_device* out, jackdaw_trt_message* message) noexcept {
  return guarded(message, [&]() -> int {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
      cudaGetLastError();
      const bool driver = code == cudaErrorInsufficientDriver || code == cudaErrorStubLibrary ||
                          code == cudaErrorSystemDriverMismatch;
      put(message, code == cudaSuccess ? "none is there" : cudaGetErrorString(code));
      if (driver) return JACKDAW_TRT_NO_DRIVER;
      return code == cudaSuccess || code == cudaErrorNoDevice ? JACKDAW_TRT_NO_GPU
                                                              : JACKDAW_TRT_FAILED;
    }
    cudaDeviceProp properties{};
    JACKDAW_CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
    std::snprintf(out->name, sizeof out->name, "%s", properties.name);
    out->sm_major = static_cast<std::uint32_t>(properties.major);
    out->sm_minor = static_cast<std::uint32_t>(properties.minor);
    out->multiprocessors = static_cast<std::uint32_t>(properties.multiProcessorCount);
    out->memory_bytes = properties.totalGlobalMem;
    return JACKDAW_TRT_OK;
  });
}

GraphShape to_shape(const jackdaw_trt_graph& graph) {
  return {graph.input_name, graph.output_name, graph.channels,
          graph.height,     graph.width,       graph.output_size};
}

int build(const jackdaw_trt_build* request, jackdaw_trt_message* message) noexcept {
  return guarded(message, [&]() -> int {
    BuildSettings settings;
    settings.graph = to_shape(request->graph);
    settings.onnx = {static_cast<const std::byte*>(request->onnx), request->onnx_bytes};
    settings.onnx_path = request->onnx_path;
    settings.precision = request->half != 0 ? Precision::kHalf : Precision::kFloat;
    settings.batch = {request->batch_min, request->batch_opt, request->batch_max};
    settings.workspace_bytes = request->workspace_bytes;
    settings.timing_cache = {static_cast<const std::byte*>(request->timing_cache),
                             request->timing_cache_bytes};
    const BuiltEngine built = build_engine(settings, [&](double done, const char* step) {
      return request->progress(request->user, done, step) != 0;
    });
    if (request->take_plan(request->user, built.plan->data(), built.plan->size()) == 0) {
      throw Error("the engine was built, but could not be stored");
    }
    if (built.timing_cache && request->take_timing_cache(request->user, built.timing_cache->data(),
                                                         built.timing_cache->size()) == 0) {
      logger().say(JACKDAW_TRT_WARNING,
                   "the timings could not be stored; the next build takes as long");
    }
    return JACKDAW_TRT_OK;
  });
}

int open(const jackdaw_trt_open* request, jackdaw_trt_encoder** out,
         jackdaw_trt_message* message) noexcept {
  *out = nullptr;
  return guarded(message, [&]() -> int {
    const GraphShape graph = to_shape(request->graph);
    Manifest manifest;
    manifest.width = graph.width;
    manifest.height = graph.height;
    manifest.channels = graph.channels;
    manifest.colour = static_cast<ColourOrder>(request->colour);
    manifest.mean.assign(request->mean, request->mean + graph.channels);
    manifest.deviation.assign(request->deviation, request->deviation + graph.channels);
    const Span<const std::byte> plan(static_cast<const std::byte*>(request->plan),
                                     request->plan_bytes);
    const auto staging = static_cast<std::size_t>(request->staging_bytes);
    *out = new jackdaw_trt_encoder{{plan, graph, manifest, staging}, {}};
    return JACKDAW_TRT_OK;
  });
}

FrameView to_view(const jackdaw_trt_frame& frame) {
  FrameView view;
  view.format = static_cast<PixelFormat>(frame.format);
  view.memory = static_cast<FrameMemory>(frame.memory);
  view.width = frame.width;
  view.height = frame.height;
  view.data = static_cast<const std::byte*>(frame.data);
  view.stride = frame.stride;
  view.colour = static_cast<const std::byte*>(frame.colour);
  view.colour_stride = frame.colour_stride;
  return view;
}

int code_of(Status status, jackdaw_trt_message* message) noexcept {
  if (status == Status::kOk) return JACKDAW_TRT_OK;
  put(message, describe(status));
  return status == Status::kBadFrame ? JACKDAW_TRT_BAD_FRAME : JACKDAW_TRT_FAILED;
}

int encode(jackdaw_trt_encoder* encoder, const jackdaw_trt_frame* frames, size_t count,
           float* embeddings, jackdaw_trt_message* message) noexcept {
  return guarded(message, [&]() -> int {
    encoder->frames.resize(count);
    std::transform(frames, frames + count, encoder->frames.begin(), to_view);
    return code_of(encoder->encoder.encode(encoder->frames, embeddings), message);
  });
}

int encode_on_device(jackdaw_trt_encoder* encoder, const jackdaw_trt_frame* frame,
                     jackdaw_trt_embedding* embedding, jackdaw_trt_message* message) noexcept {
  return guarded(message, [&]() -> int {
    return code_of(encoder->encoder.encode_on_device(to_view(*frame), *embedding), message);
  });
}

int times(jackdaw_trt_encoder* encoder, jackdaw_trt_times* out,
          jackdaw_trt_message* message) noexcept {
  return guarded(message, [&]() -> int {
    *out = encoder->encoder.times();
    return JACKDAW_TRT_OK;
  });
}

void close(jackdaw_trt_encoder* encoder) noexcept { delete encoder; }

constexpr jackdaw_trt_functions kFunctions = {
    JACKDAW_TRT_ABI, tensorrt_version, set_log, find_device, build, open,
    encode,          encode_on_device, times,   close,
};

}  // namespace
}  // namespace jackdaw::trt

extern "C" __attribute__((visibility("default"))) const jackdaw_trt_functions*
jackdaw_trt_module() {
  return &jackdaw::trt::kFunctions;
}
