// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "preprocess/device_preprocess.hpp"

#include <string>

#include "cuda/check.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"
#include "preprocess/enqueue_preprocess.hpp"

namespace jackdaw::cuda {
namespace {

// What cudaMalloc aligns to; tables need 4.
constexpr std::size_t kAlignment = 256;
std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Runs the work; a CUDA error goes to the log.
template <class Work>
Status guarded(const Work& work) noexcept {
  try {
    work();
    return Status::kOk;
  } catch (const std::exception& error) {
    try {
      log(LogLevel::kError, std::string("preprocessing on the GPU failed: ") + error.what());
    } catch (...) {  // no memory for the message
    }
    return Status::kDeviceFailed;
  }
}

}  // namespace

DevicePreprocess::DevicePreprocess(const Manifest& manifest, std::uint32_t max_batch,
                                   std::uint32_t most_side)
    : target_(target_of(manifest)),
      most_side_(most_side),
      place_bytes_(aligned(most_table_bytes(most_side, target_.width, target_.height))),
      places_(max_batch) {
  if (max_batch == 0 || max_batch > 65535 || most_side == 0 || most_side > kMostPixelsASide)
    throw SettingsError("preprocessing needs a batch of 1 to 65535 and a side of 1 to " +
                        std::to_string(kMostPixelsASide) + " pixels");
  for (Place& place : places_) {  // the largest first: later sizes allocate nothing
    place.columns.reset(most_side, target_.width);
    place.rows.reset(most_side, target_.height);
  }
  const std::size_t bytes = aligned(max_batch * sizeof(DeviceFrame)) + max_batch * place_bytes_;
  void* raw = nullptr;
  const std::string what = "allocate " + std::to_string(bytes) + " bytes for preprocessing";
  check(cudaHostAlloc(&raw, bytes, cudaHostAllocPortable), what.c_str(), __FILE__, __LINE__);
  pinned_ = PinnedMemory(raw);
  raw = nullptr;
  check(cudaMalloc(&raw, bytes), what.c_str(), __FILE__, __LINE__);
  device_ = DeviceMemory(raw);
}

void DevicePreprocess::set_frame(std::size_t place, const FrameView& frame, cudaStream_t stream) {
  Place& p = places_[place];
  const std::size_t tables = aligned(places_.size() * sizeof(DeviceFrame)) + place * place_bytes_;
  std::byte* host = static_cast<std::byte*>(pinned_.get());
  std::byte* device = static_cast<std::byte*>(device_.get());
  if (!p.copied || p.columns.from() != frame.width || p.rows.from() != frame.height) {
    p.copied = false;
    p.columns.reset(frame.width, target_.width);
    p.rows.reset(frame.height, target_.height);
    write_tables(p.columns, p.rows, host + tables);
    JACKDAW_CHECK_CUDA(cudaMemcpyAsync(device + tables, host + tables,
                                       table_bytes(p.columns, p.rows), cudaMemcpyHostToDevice,
                                       stream));
    p.copied = true;
  }
  const DeviceFrame in_device = device_frame(frame, p.columns, p.rows, device + tables);
  std::memcpy(host + place * sizeof in_device, &in_device, sizeof in_device);
}

Status DevicePreprocess::set_frames(Span<const FrameView> frames, cudaStream_t stream) noexcept {
  if (frames.empty() || frames.size() > places_.size()) return Status::kWrongSize;
  for (const FrameView& frame : frames) {
    if (const Status status = jackdaw::check(frame); status != Status::kOk) return status;
    if (frame.memory != FrameMemory::kDevice || frame.width > most_side_ ||
        frame.height > most_side_) {
      return Status::kBadFrame;
    }
  }
  set_ = 0;
  const Status status = guarded([&] {
    if (stream == nullptr) throw CudaError("copies need a stream; the default stream is not used");
    for (std::size_t i = 0; i < frames.size(); ++i) set_frame(i, frames[i], stream);
  });
  if (status == Status::kOk) set_ = frames.size();
  return status;
}

Status DevicePreprocess::enqueue(float* input, std::uint32_t batch, cudaStream_t stream) noexcept {
  if (batch == 0 || batch > set_ || input == nullptr) return Status::kWrongSize;
  return guarded([&] {
    if (stream == nullptr) throw CudaError("copies need a stream; the default stream is not used");
    JACKDAW_CHECK_CUDA(cudaMemcpyAsync(device_.get(), pinned_.get(), batch * sizeof(DeviceFrame),
                                       cudaMemcpyHostToDevice, stream));
    enqueue_preprocess(stream, target_, static_cast<const DeviceFrame*>(device_.get()), batch,
                       input);
  });
}

}  // namespace jackdaw::cuda
