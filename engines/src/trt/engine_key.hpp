// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Everything that decides what a built engine is. Two engines with the same key can stand in for
// each other; one with another key is never loaded.
//
//   const std::string path = folder + "/" + file_name(key);
//   store_engine(path, to_text(key), plan);

#include <cstdint>
#include <string>

namespace jackdaw::trt {

enum class Precision : std::uint8_t { kHalf, kFloat };

// How many pictures at once: the engine takes min to max, and is fastest for opt.
struct BatchRange {
  std::uint32_t min = 1, opt = 1, max = 1;
};

// All Orins call themselves "Orin", so the name alone does not tell two boards apart.
struct GpuId {
  std::string name;
  std::uint32_t sm_major = 0, sm_minor = 0;
  std::uint32_t multiprocessors = 0;
};

struct EngineKey {
  std::string encoder;      // its name; for people
  std::string onnx_sha256;  // of the file that was built, 64 digits
  std::string input_name, output_name;
  std::uint32_t channels = 0, height = 0, width = 0, output_size = 0;
  Precision precision = Precision::kHalf;
  BatchRange batch;
  std::uint64_t workspace_bytes = 0;
  std::string tensorrt;  // "10.3.0"
  GpuId gpu;
  std::string flags;  // what else the builder was told; empty: nothing
};

const char* to_text(Precision precision) noexcept;  // "fp16" or "fp32"

// One "name: value" a line, in a fixed order; the same text for the same key, and for no other.
std::string to_text(const EngineKey& key);

// "resnet50-sscd.fp16.b1-4-8.trt10.3.0.Orin-sm87.0123456789abcdef.engine": enough for people, and
// the first digits of the text's SHA-256 for the rest. load_engine() compares the whole text.
std::string file_name(const EngineKey& key);

// Timings depend on the device and on TensorRT, not on the graph: one cache for all graphs.
std::string timing_cache_text(const EngineKey& key);
std::string timing_cache_file_name(const EngineKey& key);

}  // namespace jackdaw::trt
