// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What the jackdaw program does for its hidden sub-command, and nothing else.

#include <string>

#include "trt/build_main.hpp"

int main(int argc, char** argv) {
  if (argc < 2 || std::string(argv[1]) != jackdaw::trt::kBuildCommand) return 64;
  return jackdaw::trt::build_engine_main({argv + 2, argv + argc});
}
