// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "preprocess/enqueue_preprocess.hpp"

#include "cuda/stream_launcher.cuh"
#include "preprocess/preprocess.cuh"

namespace jackdaw::cuda {

void enqueue_preprocess(cudaStream_t stream, const Target& target, const DeviceFrame* frames,
                        unsigned batch, float* input) {
  StreamLauncher launcher(stream);
  launch_preprocess(launcher, target, frames, batch, input);
}

}  // namespace jackdaw::cuda
