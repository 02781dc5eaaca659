// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of preprocess.cuh on a stream, for host code: no CUDA syntax here.
//
//   enqueue_preprocess(stream, target, frames, 8, input);     // returns at once
//
// frames and input are device memory, as preprocess.cuh says. A failed launch throws CudaError.

#include "cuda/sequences.hpp"
#include "preprocess/device_frame.hpp"
#include "preprocess/target.hpp"

namespace jackdaw::cuda {

void enqueue_preprocess(cudaStream_t stream, const Target& target, const DeviceFrame* frames,
                        unsigned batch, float* input);

}  // namespace jackdaw::cuda
