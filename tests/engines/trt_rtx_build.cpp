// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Builds an engine with our own builder and NVIDIA's own parser and compiler, without a GPU, stores
// it, and reads it back. Compiled and called by trt_rtx_build_test.sh.
//
//   trt_rtx_build ONNX INPUT OUTPUT CHANNELS HEIGHT WIDTH OUTPUT_SIZE fp16|fp32 MAX_BATCH FOLDER

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "jackdaw/sha256.hpp"
#include "trt/engine_builder.hpp"
#include "trt/engine_file.hpp"
#include "trt/engine_key.hpp"
#include "trt/trt_log.hpp"

namespace jackdaw::trt {
namespace {

struct Steps {
  double last = 0.0;
  int count = 0;
  bool grew = true;
};

std::uint32_t number(const char* text) {
  return static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

[[noreturn]] void fail(const std::string& what) {
  std::printf("FAILED: %s\n", what.c_str());
  std::exit(1);
}

Span<const std::byte> bytes_of(const nvinfer1::IHostMemory& memory) {
  return {static_cast<const std::byte*>(memory.data()), memory.size()};
}

// What the builder must refuse, with a sentence that names the trouble.
void expect_refusal(const BuildSettings& settings, const std::string& word) {
  try {
    build_engine(settings, [](double, const char*) { return true; });
  } catch (const TrtError& error) {
    std::printf("refused: %s\n", error.what());
    if (std::strstr(error.what(), word.c_str()) == nullptr) fail("that does not name " + word);
    return;
  }
  fail("a graph that does not fit was built; expected a refusal that names " + word);
}

void check_refusals(const BuildSettings& good) {
  BuildSettings other = good;
  other.graph.input_name = "no-such-input";
  expect_refusal(other, "no-such-input");
  other = good;
  other.graph.output_name = "no-such-output";
  expect_refusal(other, "no-such-output");
  other = good;
  other.graph.width += 1;
  expect_refusal(other, std::to_string(other.graph.width));
  other = good;
  other.graph.output_size += 1;
  expect_refusal(other, std::to_string(other.graph.output_size));
  other = good;
  other.batch = {4, 2, 8};
  expect_refusal(other, "4:2:8");
  other = good;
  other.onnx = other.onnx.first(other.onnx.size() / 2);
  expect_refusal(other, good.onnx_path);

  int calls = 0;
  try {
    build_engine(good, [&](double, const char*) { return ++calls < 4; });
    fail("a build that was told to stop went on");
  } catch (const BuildCancelled& error) {
    std::printf("stopped after %d reports: %s\n", calls, error.what());
  }
}

int run(char** argument) {
  logger().set([](void*, int level, const char* text) { std::printf("[%d] %s\n", level, text); },
               nullptr);
  std::ifstream in(argument[1], std::ios::binary);
  const std::string onnx((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (onnx.empty()) fail(std::string("cannot read ") + argument[1]);

  BuildSettings settings;
  settings.graph = {argument[2],         argument[3],         number(argument[4]),
                    number(argument[5]), number(argument[6]), number(argument[7])};
  settings.onnx = {reinterpret_cast<const std::byte*>(onnx.data()), onnx.size()};
  settings.onnx_path = argument[1];
  settings.precision = std::string(argument[8]) == "fp16" ? Precision::kHalf : Precision::kFloat;
  const std::uint32_t most = number(argument[9]);
  settings.batch = {1, (most + 1) / 2, most};
  settings.workspace_bytes = std::uint64_t{256} << 20U;

  Steps steps;
  const auto begin = std::chrono::steady_clock::now();
  BuiltEngine built = build_engine(settings, [&](double done, const char*) {
    steps.grew = steps.grew && done >= steps.last && done <= 1.0;
    steps.last = done;
    ++steps.count;
    return true;
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("built: %s, %.2f s, plan %.1f MB, timing cache %zu bytes, %d reports up to %.2f\n",
              to_text(settings.precision), took.count(),
              static_cast<double>(built.plan->size()) / 1e6,
              built.timing_cache ? built.timing_cache->size() : 0, steps.count, steps.last);
  if (!steps.grew || steps.count < 4) fail("progress went backwards or was not reported");

  Sha256 hash;
  hash.add(settings.onnx);
  EngineKey key;
  key.encoder = "rtx-test";
  key.onnx_sha256 = to_hex(hash.finish());
  key.precision = settings.precision;
  key.batch = settings.batch;
  key.tensorrt = std::to_string(getInferLibVersion());
  key.gpu.name = "none";
  const std::string path = std::string(argument[10]) + "/" + file_name(key);
  store_engine(path, to_text(key), bytes_of(*built.plan));
  const std::vector<std::byte> loaded = load_engine(path, to_text(key));
  if (loaded.size() != built.plan->size() ||
      std::memcmp(loaded.data(), built.plan->data(), loaded.size()) != 0) {
    fail("what was read back is not what was stored");
  }
  std::printf("stored and read back: %s\n", path.c_str());

  if (built.timing_cache) {  // and a second build that starts from the first one's timings
    settings.timing_cache = bytes_of(*built.timing_cache);
    build_engine(settings, [](double, const char*) { return true; });
    settings.timing_cache = {};
  }
  check_refusals(settings);
  return 0;
}

}  // namespace
}  // namespace jackdaw::trt

int main(int count, char** argument) {
  if (count != 11) {
    std::printf("called with %d arguments, 10 are needed; see the top of trt_rtx_build.cpp\n",
                count - 1);
    return 2;
  }
  try {
    return jackdaw::trt::run(argument);
  } catch (const std::exception& error) {
    std::printf("FAILED: %s\n", error.what());
    return 1;
  }
}
