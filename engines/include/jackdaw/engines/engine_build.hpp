// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// TensorRT engines: built on the device that runs them, in a process of their own, kept in the
// cache.
//
//   if (argc > 1 && argv[1] == std::string(kEngineBuildCommand))       // first thing in main()
//     return engine_build_process({argv + 2, argv + argc});
//   std::string path = build_engine(manifest, {}, [](double done, const std::string& step) {…});

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {

struct EngineBuildOptions {
  bool half = true;               // 16 bits, where the encoder has such a graph
  std::uint32_t batch_min = 1;    // pictures at once
  std::uint32_t batch_usual = 1;  // the engine is fastest for this many
  std::uint32_t batch_max = 0;    // 0: the manifest's
  std::uint64_t workspace_bytes = std::uint64_t{1} << 30U;
};

// done: 0 to 1; false: stop.
using EngineBuildProgress = std::function<bool(double done, const std::string& step)>;

// The path of the engine. Throws EncoderError with one sentence: no module, no GPU, no driver, no
// memory, or what TensorRT said.
std::string build_engine(const Manifest& manifest, const EngineBuildOptions& options,
                         const EngineBuildProgress& progress);

extern const char* const kEngineBuildCommand;
int engine_build_process(const std::vector<std::string>& arguments) noexcept;

}  // namespace jackdaw
