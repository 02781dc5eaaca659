// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From an ONNX graph to an engine for this device.
//
//   BuiltEngine built = build_engine(settings, report);          // throws TrtError or
//   BuildCancelled built.plan->data(), built.plan->size()

#include <cstddef>
#include <cstdint>
#include <string>

#include "jackdaw/error.hpp"
#include "jackdaw/span.hpp"
#include "trt/build_progress.hpp"
#include "trt/engine_key.hpp"
#include "trt/trt_compat.hpp"

namespace jackdaw::trt {

// TensorRT refused something; the text holds its own words.
struct TrtError : Error {
  using Error::Error;
};
struct BuildCancelled : Error {
  using Error::Error;
};

struct GraphShape {
  std::string input_name, output_name;
  std::uint32_t channels = 0, height = 0, width = 0, output_size = 0;
};

struct BuildSettings {
  GraphShape graph;
  Span<const std::byte> onnx;
  std::string onnx_path;
  Precision precision = Precision::kHalf;  // what the graph is written in
  BatchRange batch;
  std::uint64_t workspace_bytes = 0;  // 0: as much as TensorRT likes
  Span<const std::byte> timing_cache;
};

struct BuiltEngine {
  Owned<nvinfer1::IHostMemory> plan;
  Owned<nvinfer1::IHostMemory> timing_cache;  // null where TensorRT gives none
};

BuiltEngine build_engine(const BuildSettings& settings, const BuildProgress::Report& report);

}  // namespace jackdaw::trt
