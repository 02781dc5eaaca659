// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/host_input.hpp"

#include "cuda/check.hpp"

namespace jackdaw::trt {

HostInput::HostInput(const Manifest& manifest, std::uint32_t max_batch)
    : preprocess_(manifest), floats_(target_of(manifest).size()) {
  void* raw = nullptr;
  cuda::check(cudaHostAlloc(&raw, floats_ * max_batch * sizeof(float), cudaHostAllocPortable),
              "allocate pinned memory for pictures", __FILE__, __LINE__);
  pinned_ = cuda::PinnedMemory(raw);
}

Status HostInput::enqueue(Span<const FrameView> frames, float* input, cudaStream_t stream,
                          std::uint32_t& taken) {
  auto* const pictures = static_cast<float*>(pinned_.get());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Status status = preprocess_.run(frames[i], {pictures + i * floats_, floats_});
    if (status != Status::kOk) return status;
  }
  taken = static_cast<std::uint32_t>(frames.size());
  JACKDAW_CHECK_CUDA(cudaMemcpyAsync(input, pictures, floats_ * frames.size() * sizeof(float),
                                     cudaMemcpyHostToDevice, stream));
  return Status::kOk;
}

}  // namespace jackdaw::trt
