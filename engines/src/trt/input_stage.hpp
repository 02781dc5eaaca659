// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How frames become the input of an engine, in device memory: preprocessed on the GPU
// (device_input.hpp) or on the CPU (host_input.hpp).
//
//   std::uint32_t taken = 0;
//   status = stage.enqueue(frames, input, stream, taken);     // the first `taken` of them
//
// All memory is taken when a stage is made. What it enqueues may read the frames, and memory of the
// stage, until the stream is done with it: only then may the stage be used again.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "jackdaw/engines/frame.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw::trt {

class InputStage {
 public:
  virtual ~InputStage() = default;

  // input: [engine's largest batch][channels][height][width] floats in device memory. frames: at
  // least one, at most that many. kBadFrame: one of them cannot be used, none was. Throws
  // CudaError.
  virtual Status enqueue(Span<const FrameView> frames, float* input, cudaStream_t stream,
                         std::uint32_t& taken) = 0;
};

}  // namespace jackdaw::trt
