// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CUDA's return codes become CudaError, with CUDA's own name, its text and the place.
//
//   check(cudaMalloc(&p, bytes), "allocate the slab", __FILE__, __LINE__);
//   JACKDAW_CHECK_CUDA(cudaEventRecord(event, stream));     // the same, with the call as the text

#include <cuda_runtime_api.h>

namespace jackdaw::cuda {

// Throws CudaError unless the code is cudaSuccess; clears CUDA's sticky last error first, so that
// the next call does not report this one again.
void check(cudaError_t code, const char* what, const char* file, int line);

}  // namespace jackdaw::cuda

#define JACKDAW_CHECK_CUDA(call) ::jackdaw::cuda::check((call), #call, __FILE__, __LINE__)
