// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A built engine at work: frames in, embeddings out, on one stream of its own. All memory is taken
// when it is made.
//
//   TrtEncoder encoder(plan, graph, manifest, 0);  // throws TrtError or CudaError; runs once
//   encoder.encode(frames, embeddings);            // the same, and waits for the GPU
//   encoder.encode_on_device(frame, embedding);    // the same, and does not wait

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/unique_handle.hpp"
#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/span.hpp"
#include "trt/engine_builder.hpp"
#include "trt/input_stage.hpp"
#include "trt/module.h"
#include "trt/trt_compat.hpp"

namespace jackdaw::trt {

class TrtEncoder {
 public:
  // manifest: what preprocessing needs of it. staging_bytes: of device memory, for frames that come
  // from the host; 0: enough for one of 3840 x 2160.
  TrtEncoder(Span<const std::byte> plan, const GraphShape& graph, const Manifest& manifest,
             std::size_t staging_bytes);
  ~TrtEncoder();
  TrtEncoder(const TrtEncoder&) = delete;
  TrtEncoder& operator=(const TrtEncoder&) = delete;

  // Any number of frames, in as many runs as the engine's largest batch asks for. kBadFrame:
  // nothing is known about the embeddings.
  Status encode(Span<const FrameView> frames, float* embeddings);

  // The embedding stays where the engine put it until the next call. The frame must stay until
  // embedding.ready.
  Status encode_on_device(const FrameView& frame, jackdaw_trt_embedding& embedding);

  // Of the last call, on the GPU's clock, copies of the frames included; waits for its end.
  jackdaw_trt_times times();

 private:
  void check_tensors();
  void find_batches();
  void allocate(const Manifest& manifest, std::size_t staging_bytes);
  void warm_up();
  void set_batch(std::uint32_t batch);
  // One run with the first of the frames; taken: how many.
  Status enqueue(Span<const FrameView> frames, std::uint32_t& taken);
  void add_times();

  GraphShape graph_;
  Owned<nvinfer1::IRuntime> runtime_;
  Owned<nvinfer1::ICudaEngine> engine_;
  std::uint32_t least_ = 1, most_ = 1;  // pictures in one run
  std::uint32_t shaped_for_ = 0;        // the batch that the context was told last
  jackdaw_trt_times times_{};
  bool timing_ = false;  // the last run's times are still to be added

  cuda::DeviceMemory scratch_, device_input_, device_output_;
  cuda::PinnedMemory host_output_;
  std::unique_ptr<InputStage> input_;
  cuda::Event begun_, prepared_, done_;
  cuda::Stream stream_;
  Owned<nvinfer1::IExecutionContext> context_;  // last: gone before the memory that it uses
};

}  // namespace jackdaw::trt
