// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <memory>
#include <new>
#include <string>

#include "trt/engine_builder.hpp"

namespace jackdaw::trt {

namespace {

bool is_file(const std::string& path) {
  return path.size() > 5 && path.compare(path.size() - 5, 5, ".onnx") == 0;
}

}  // namespace

// In place of the builder (trt_rtx_build_test.sh has the real one). A file gives a plan of the
// graph's sizes; other paths say what it is to throw.
BuiltEngine build_engine(const BuildSettings& settings, const BuildProgress::Report&) {
  if (settings.onnx_path == "cancelled") throw BuildCancelled("stopped");
  if (settings.onnx_path == "memory") throw std::bad_alloc();
  if (settings.onnx_path == "number") throw 7;
  BuiltEngine built;
  if (is_file(settings.onnx_path)) {
    nvinfer1::StubPlan plan;
    plan.channels = settings.graph.channels;
    plan.height = settings.graph.height;
    plan.width = settings.graph.width;
    plan.output_size = settings.graph.output_size;
    plan.most = settings.batch.max;
    built.plan = std::make_unique<nvinfer1::IHostMemory>();
    built.plan->bytes.assign(reinterpret_cast<const char*>(&plan), sizeof plan);
    return built;
  }
  if (settings.onnx_path != "good") throw TrtError(settings.onnx_path + std::string(3000, 'x'));
  built.plan = std::make_unique<nvinfer1::IHostMemory>();
  built.plan->bytes = "plan";
  return built;
}

}  // namespace jackdaw::trt
