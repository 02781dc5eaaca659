// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A built engine at work: frames in, embeddings out, on one stream of its own. All memory is taken
// when it is made.
//
//   TrtEncoder encoder(plan, graph, manifest);     // throws TrtError or CudaError; runs once
//   encoder.encode(frames, embeddings);            // the same, and waits for the GPU

#include <cstddef>
#include <cstdint>
#include <string>

#include "cuda/unique_handle.hpp"
#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/span.hpp"
#include "preprocess/preprocess.hpp"
#include "trt/engine_builder.hpp"
#include "trt/trt_compat.hpp"

namespace jackdaw::trt {

class TrtEncoder {
 public:
  // manifest: what Preprocess needs of it.
  TrtEncoder(Span<const std::byte> plan, const GraphShape& graph, const Manifest& manifest);
  ~TrtEncoder();
  TrtEncoder(const TrtEncoder&) = delete;
  TrtEncoder& operator=(const TrtEncoder&) = delete;

  // Any number of frames, in as many runs as the engine's largest batch asks for. kBadFrame:
  // nothing is known about the embeddings.
  Status encode(Span<const FrameView> frames, float* embeddings);

 private:
  void check_tensors();
  void find_batches();
  void allocate();
  void run(std::uint32_t batch);

  GraphShape graph_;
  std::size_t input_size_;  // floats of one picture
  Preprocess preprocess_;
  Owned<nvinfer1::IRuntime> runtime_;
  Owned<nvinfer1::ICudaEngine> engine_;
  std::uint32_t least_ = 1, most_ = 1;  // pictures in one run
  std::uint32_t shaped_for_ = 0;        // the batch that the context was told last

  cuda::DeviceMemory scratch_, device_input_, device_output_;
  cuda::PinnedMemory host_input_, host_output_;
  cuda::Stream stream_;
  Owned<nvinfer1::IExecutionContext> context_;  // last: gone before the memory that it uses
};

}  // namespace jackdaw::trt
