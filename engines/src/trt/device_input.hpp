// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Preprocesses on the GPU, in one pass. Frames in device memory are read where they are; frames in
// host memory are copied to staging memory first, one behind the other.
//
//   DeviceInput stage(manifest, 8, 32 << 20);     // throws CudaError, ManifestError
//
// When the staging memory is full the rest waits for the next run. A frame that does not even fit
// alone is preprocessed on the CPU.

#include <cstddef>
#include <vector>

#include "cuda/unique_handle.hpp"
#include "preprocess/device_preprocess.hpp"
#include "trt/host_input.hpp"
#include "trt/input_stage.hpp"

namespace jackdaw::trt {

class DeviceInput final : public InputStage {
 public:
  DeviceInput(const Manifest& manifest, std::uint32_t max_batch, std::size_t staging_bytes);

  Status enqueue(Span<const FrameView> frames, float* input, cudaStream_t stream,
                 std::uint32_t& taken) override;

 private:
  // The frame in device memory; false if there is no room for it.
  bool stage(const FrameView& frame, std::size_t& used, cudaStream_t stream, FrameView& staged);

  cuda::DevicePreprocess preprocess_;
  HostInput too_large_;
  std::vector<FrameView> frames_;  // [max_batch]
  std::size_t staging_bytes_;
  cuda::DeviceMemory staging_;
};

}  // namespace jackdaw::trt
