// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/engine_request.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <map>

namespace jackdaw::trt {
namespace {

// Calls visit(name, field) for every field, so that writing and reading cannot differ.
template <class Request, class Visit>
void each_field(Request& request, Visit&& visit) {
  visit("name", request.name);
  visit("onnx", request.onnx_path);
  visit("sha256", request.onnx_sha256);
  visit("input", request.input_name);
  visit("output", request.output_name);
  visit("channels", request.channels);
  visit("height", request.height);
  visit("width", request.width);
  visit("output_size", request.output_size);
  visit("precision", request.precision);
  visit("batch_min", request.batch.min);
  visit("batch_opt", request.batch.opt);
  visit("batch_max", request.batch.max);
  visit("workspace", request.workspace_bytes);
  visit("folder", request.engine_folder);
  visit("module", request.module_path);
}

std::string written(const std::string& value) { return value; }
std::string written(Precision value) { return to_text(value); }
std::string written(std::uint64_t value) { return std::to_string(value); }

[[noreturn]] void wrong(const std::string& name, const std::string& text) {
  throw EncoderError("engine build: " + name + "=" + text + " is not a value for " + name);
}

void read(const std::string&, const std::string& text, std::string& out) { out = text; }

void read(const std::string& name, const std::string& text, std::uint64_t& out) {
  char* end = nullptr;
  errno = 0;
  out = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0) {
    wrong(name, text);
  }
}

void read(const std::string& name, const std::string& text, std::uint32_t& out) {
  std::uint64_t value = 0;
  read(name, text, value);
  if (value > std::numeric_limits<std::uint32_t>::max()) wrong(name, text);
  out = static_cast<std::uint32_t>(value);
}

void read(const std::string& name, const std::string& text, Precision& out) {
  if (text != "fp16" && text != "fp32") wrong(name, text);
  out = text == "fp16" ? Precision::kHalf : Precision::kFloat;
}

}  // namespace

EngineRequest make_request(const Manifest& manifest, const std::string& engine_folder,
                           const EngineOptions& options) {
  if (manifest.layout != InputLayout::kFloatPlanes) {
    throw EncoderError(manifest.name + " takes pixels as bytes and is not built for TensorRT; it " +
                       "runs on ONNX Runtime (jackdaw engine get onnxruntime)");
  }
  const bool half = options.prefer_half && !manifest.half_file.empty();
  EngineRequest request;
  request.name = manifest.name;
  request.onnx_path = half ? manifest.half_path() : manifest.graph_path();
  request.onnx_sha256 = half ? manifest.half_sha256 : manifest.graph_sha256;
  request.input_name = manifest.input_name;
  request.output_name = manifest.output_name;
  request.channels = manifest.channels;
  request.height = manifest.height;
  request.width = manifest.width;
  request.output_size = manifest.output_size;
  request.precision = half ? Precision::kHalf : Precision::kFloat;
  request.batch.max = std::max(manifest.max_batch, 1U);
  request.batch.opt = std::clamp(options.usual_batch, 1U, request.batch.max);
  request.workspace_bytes = options.workspace_bytes;
  request.engine_folder = engine_folder;
  return request;
}

EngineKey make_key(const EngineRequest& request, const TrtModule& module, const GpuId& gpu) {
  EngineKey key;
  key.encoder = request.name;
  key.onnx_sha256 = request.onnx_sha256;
  key.input_name = request.input_name;
  key.output_name = request.output_name;
  key.channels = request.channels;
  key.height = request.height;
  key.width = request.width;
  key.output_size = request.output_size;
  key.precision = request.precision;
  key.batch = request.batch;
  key.workspace_bytes = request.workspace_bytes;
  key.tensorrt = module.tensorrt_version();
  key.gpu = gpu;
  return key;
}

std::string engine_path(const EngineRequest& request, const EngineKey& key) {
  return request.engine_folder + "/" + file_name(key);
}

std::string timing_cache_path(const EngineRequest& request, const EngineKey& key) {
  return request.engine_folder + "/" + timing_cache_file_name(key);
}

std::vector<std::string> to_arguments(const EngineRequest& request) {
  std::vector<std::string> arguments;
  each_field(request, [&](const char* name, const auto& value) {
    arguments.push_back(std::string(name) + "=" + written(value));
  });
  return arguments;
}

EngineRequest from_arguments(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> given;
  for (const std::string& argument : arguments) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) {
      throw EncoderError("engine build: '" + argument + "' is not NAME=VALUE");
    }
    given[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  EngineRequest request;
  each_field(request, [&](const char* name, auto& value) {
    const auto found = given.find(name);
    if (found == given.end()) throw EncoderError(std::string("engine build: no ") + name + "=…");
    read(name, found->second, value);
    given.erase(found);
  });
  if (!given.empty()) throw EncoderError("engine build: unknown word " + given.begin()->first);
  return request;
}

}  // namespace jackdaw::trt
