// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Preprocess on the GPU: frames in device memory become the input of a graph, in device memory.
//
//   DevicePreprocess preprocess(manifest, 8);                  // throws CudaError, ManifestError
//   status = preprocess.set_frames(frames, stream);            // any sizes and formats
//   status = preprocess.enqueue(input, frames.size(), stream); // returns at once
//
// All memory is there after construction; neither call allocates, synchronises or uses the default
// stream. enqueue() is one small copy and one launch whose arguments never change, so it can be
// captured once for each batch size: after the next set_frames() the graph is launched again.
// set_frames() writes what work enqueued before still reads, so that work must be done by then (an
// encoder that has handed out its embeddings has waited for it).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/unique_handle.hpp"
#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/span.hpp"
#include "preprocess/device_frame.hpp"
#include "preprocess/resample.hpp"
#include "preprocess/target.hpp"

namespace jackdaw::cuda {

class DevicePreprocess {
 public:
  // Frames larger than most_side on a side are refused. Memory, here and on the device: max_batch
  // times about 8*most_side bytes.
  DevicePreprocess(const Manifest& manifest, std::uint32_t max_batch,
                   std::uint32_t most_side = kMostPixelsASide);

  // kBadFrame: one is not a picture, is too large or is not in device memory; kWrongSize: none, or
  // more than max_batch; kDeviceFailed: the log says why. Tables of weights are made and copied
  // only for a place in the batch whose frame has another size than before.
  Status set_frames(Span<const FrameView> frames, cudaStream_t stream) noexcept;

  // input: [batch][channels][height][width] floats in device memory. batch: at most as many as
  // set_frames() got.
  Status enqueue(float* input, std::uint32_t batch, cudaStream_t stream) noexcept;

  const Target& target() const noexcept { return target_; }

 private:
  void set_frame(std::size_t place, const FrameView& frame, cudaStream_t stream);

  // The sizes that the tables at a place in the batch are for.
  struct Place {
    Resampling columns, rows;
    bool copied = false;
  };

  Target target_;
  std::uint32_t most_side_;
  std::size_t place_bytes_;  // of tables
  std::vector<Place> places_;
  std::size_t set_ = 0;  // frames
  // The same layout in both: DeviceFrame[max_batch], then the tables of each place.
  PinnedMemory pinned_;
  DeviceMemory device_;
};

}  // namespace jackdaw::cuda
