// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cuda/check.hpp"

#include <string>

#include "jackdaw/error.hpp"

namespace jackdaw::cuda {

void check(cudaError_t code, const char* what, const char* file, int line) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw CudaError(std::string(what) + ": " + cudaGetErrorName(code) + " (" +
                  cudaGetErrorString(code) + ") at " + file + ":" + std::to_string(line));
}

}  // namespace jackdaw::cuda
