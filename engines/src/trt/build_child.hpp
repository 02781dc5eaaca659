// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Builds an engine in a process of its own: a build can use up the memory, and TensorRT can crash.
// Neither reaches the program that asked.
//
//   const std::string path = run_build_child(argv0, request, [](double done, const std::string&
//   step) {
//     bar.show(done, step);
//     return !interrupted;                       // false: the build is stopped
//   });                                          // throws EncoderError or EngineBuildStopped

#include <string>

#include "trt/build_main.hpp"
#include "trt/engine_request.hpp"

namespace jackdaw::trt {

struct EngineBuildStopped : EncoderError {
  using EncoderError::EncoderError;
};

// program: a file that calls build_engine_main() for kBuildCommand; empty: the program that runs.
// Gives the path of the engine. The child's warnings go to the log.
std::string run_build_child(const std::string& program, const EngineRequest& request,
                            const BuildReport& report);

}  // namespace jackdaw::trt
