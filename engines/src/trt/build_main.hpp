// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The process that builds an engine, from the inside: a hidden sub-command of the program.
//
//   if (argc > 1 && argv[1] == std::string(kBuildCommand)) {
//     return build_engine_main({argv + 2, argv + argc});
//   }
//
// It speaks to its parent in lines on the descriptor kBuildPipe:
//   progress 0.4200 what it is doing          log 1 a warning of TensorRT's
//   error what went wrong                      done PATH

#include <functional>
#include <string>
#include <vector>

#include "trt/engine_request.hpp"

namespace jackdaw::trt {

constexpr const char* kBuildCommand = "build-engine-child";
constexpr int kBuildPipe = 3;

using BuildReport = std::function<bool(double done, const std::string& step)>;  // false: stop

// In this process: finds the module, builds, stores; the path of the engine. Throws EncoderError
// and what derives from it. Better not called where something else must stay alive: a build can use
// up the memory, and TensorRT can crash.
std::string build_and_store(const EngineRequest& request, const BuildReport& report);

// The exit code: 0 built, 1 failed, 2 called wrongly, 3 stopped. `arguments`:
// to_arguments(request).
int build_engine_main(const std::vector<std::string>& arguments, int pipe = kBuildPipe) noexcept;

}  // namespace jackdaw::trt
