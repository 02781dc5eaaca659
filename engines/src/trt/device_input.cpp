// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/device_input.hpp"

#include "cuda/check.hpp"

namespace jackdaw::trt {
namespace {

constexpr std::size_t kAlignment = 256;  // of what is staged, as cudaMalloc has it

// Rows of a picture, or of its colours.
struct Plane {
  const std::byte* data = nullptr;
  std::size_t stride = 0;
  std::size_t row_bytes = 0, rows = 0;

  std::size_t bytes() const { return row_bytes * rows; }
  std::size_t room() const { return (bytes() + kAlignment - 1) / kAlignment * kAlignment; }
};

Plane pixels_of(const FrameView& frame) {
  const bool colours = frame.format == PixelFormat::kBgr || frame.format == PixelFormat::kRgb;
  return {frame.data, frame.stride, std::size_t{frame.width} * (colours ? 3 : 1), frame.height};
}

Plane colours_of(const FrameView& frame) {
  if (frame.format != PixelFormat::kNv12) return {};
  return {frame.colour, frame.colour_stride, (std::size_t{frame.width} + 1) / 2 * 2,
          (std::size_t{frame.height} + 1) / 2};
}

void copy(std::byte* to, const Plane& plane, cudaStream_t stream) {
  if (plane.rows <= 1 || plane.stride == plane.row_bytes) {
    JACKDAW_CHECK_CUDA(
        cudaMemcpyAsync(to, plane.data, plane.bytes(), cudaMemcpyHostToDevice, stream));
  } else {
    JACKDAW_CHECK_CUDA(cudaMemcpy2DAsync(to, plane.row_bytes, plane.data, plane.stride,
                                         plane.row_bytes, plane.rows, cudaMemcpyHostToDevice,
                                         stream));
  }
}

}  // namespace

DeviceInput::DeviceInput(const Manifest& manifest, std::uint32_t max_batch,
                         std::size_t staging_bytes)
    : preprocess_(manifest, max_batch),
      too_large_(manifest, 1),
      frames_(max_batch),
      staging_bytes_(staging_bytes) {
  void* raw = nullptr;
  cuda::check(cudaMalloc(&raw, staging_bytes), "allocate device memory for frames", __FILE__,
              __LINE__);
  staging_ = cuda::DeviceMemory(raw);
}

bool DeviceInput::stage(const FrameView& frame, std::size_t& used, cudaStream_t stream,
                        FrameView& staged) {
  staged = frame;
  if (frame.memory == FrameMemory::kDevice) return true;
  const Plane pixels = pixels_of(frame), colours = colours_of(frame);
  // No sum can overflow: a side has at most kMostPixelsASide pixels.
  if (pixels.room() + colours.room() > staging_bytes_ - used) return false;
  auto* const to = static_cast<std::byte*>(staging_.get()) + used;
  copy(to, pixels, stream);
  staged.data = to;
  staged.stride = pixels.row_bytes;
  if (colours.rows > 0) {
    copy(to + pixels.room(), colours, stream);
    staged.colour = to + pixels.room();
    staged.colour_stride = colours.row_bytes;
  }
  staged.memory = FrameMemory::kDevice;
  used += pixels.room() + colours.room();
  return true;
}

Status DeviceInput::enqueue(Span<const FrameView> frames, float* input, cudaStream_t stream,
                            std::uint32_t& taken) {
  for (const FrameView& frame : frames) {  // before anything is read from any of them
    if (const Status status = check(frame); status != Status::kOk) return status;
  }
  std::size_t used = 0;
  std::uint32_t count = 0;
  while (count < frames.size() && stage(frames[count], used, stream, frames_[count])) ++count;
  if (count == 0) return too_large_.enqueue(frames.first(1), input, stream, taken);
  taken = count;
  const Status status = preprocess_.set_frames(Span<const FrameView>(frames_).first(count), stream);
  return status == Status::kOk ? preprocess_.enqueue(input, count, stream) : status;
}

}  // namespace jackdaw::trt
