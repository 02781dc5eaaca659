// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which engine is wanted: what both the one who builds it and the one who opens it have to agree
// on. It can be written as arguments of a command line, for the process that builds.
//
//   EngineRequest request = make_request(manifest, folder);      // throws EncoderError
//   to_arguments(request)  ->  {"name=resnet50-sscd", "batch_max=8", …}

#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/engines/manifest.hpp"
#include "trt/engine_key.hpp"
#include "trt/trt_module.hpp"

namespace jackdaw::trt {

struct EngineRequest {
  std::string name;         // the encoder's
  std::string onnx_path;    // of the precision below
  std::string onnx_sha256;  // what it must have
  std::string input_name, output_name;
  std::uint32_t channels = 0, height = 0, width = 0, output_size = 0;
  Precision precision = Precision::kHalf;
  BatchRange batch;
  std::uint64_t workspace_bytes = 0;  // for the builder; 0: no limit
  std::string engine_folder;          // where engines and timings are kept
  std::string module_path;            // empty: find_trt_module()
};

struct EngineOptions {
  bool prefer_half = true;        // where the encoder has a graph of 16 bits
  std::uint32_t usual_batch = 1;  // the one to be fastest for
  std::uint64_t workspace_bytes = std::uint64_t{1} << 30U;
};

EngineRequest make_request(const Manifest& manifest, const std::string& engine_folder,
                           const EngineOptions& options = {});

EngineKey make_key(const EngineRequest& request, const TrtModule& module, const GpuId& gpu);
std::string engine_path(const EngineRequest& request, const EngineKey& key);
std::string timing_cache_path(const EngineRequest& request, const EngineKey& key);

std::vector<std::string> to_arguments(const EngineRequest& request);
// Throws EncoderError for a word that to_arguments() does not write, or one that is missing.
EngineRequest from_arguments(const std::vector<std::string>& arguments);

}  // namespace jackdaw::trt
