// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Preprocesses on the CPU and copies the floats: where no CUDA compiler was there, and for frames
// that are too large for the GPU's staging memory.
//
//   HostInput stage(manifest, 8);     // throws CudaError, ManifestError

#include "cuda/unique_handle.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "preprocess/preprocess.hpp"
#include "trt/input_stage.hpp"

namespace jackdaw::trt {

class HostInput final : public InputStage {
 public:
  HostInput(const Manifest& manifest, std::uint32_t max_batch);

  // Takes all frames; one in device memory is a bad frame. Allocates only for a frame that is wider
  // or higher than all before it.
  Status enqueue(Span<const FrameView> frames, float* input, cudaStream_t stream,
                 std::uint32_t& taken) override;

 private:
  Preprocess preprocess_;
  std::size_t floats_;         // of one picture
  cuda::PinnedMemory pinned_;  // [max_batch][floats_]
};

}  // namespace jackdaw::trt
