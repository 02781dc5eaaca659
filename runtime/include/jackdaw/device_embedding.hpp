// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An embedding that an encoder leaves in the GPU's memory, and that a learner on the same GPU takes
// from there. No type of CUDA here, so that everybody may include it.
//
//   DeviceEmbedding embedding;
//   if (encoder.encode_on_device(frame, embedding) == Status::kOk)      // returns before it is
//   there
//     status = learner.predict_on_device(embedding, answer);           // waits, on the GPU, for it
//
// A view: it belongs to whoever made it and is good until that one's next call.

#include <cstddef>

namespace jackdaw {

struct DeviceEmbedding {
  const float* data = nullptr;  // device memory
  std::size_t size = 0;         // floats
  void* ready = nullptr;        // a cudaEvent_t: they are there when it is done; null: already
};

}  // namespace jackdaw
