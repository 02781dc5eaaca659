// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Preprocessing on a real GPU, where there is one; without one it has to say so.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cuda/check.hpp"
#include "engines/preprocess_pictures.hpp"
#include "jackdaw/error.hpp"
#include "preprocess/device_preprocess.hpp"
#include "preprocess/preprocess.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"
#include "support/skip.hpp"

namespace jackdaw::testing {
namespace {

bool device_answers() {
  int count = 0;
  const bool answers = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return answers;
}

cuda::DeviceMemory allocate(std::size_t bytes) {
  void* raw = nullptr;
  JACKDAW_CHECK_CUDA(cudaMalloc(&raw, bytes));
  return cuda::DeviceMemory(raw);
}

cuda::Stream make_stream() {
  cudaStream_t raw = nullptr;
  JACKDAW_CHECK_CUDA(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
  return cuda::Stream(raw);
}

// A picture's planes in device memory.
class Uploaded {
 public:
  explicit Uploaded(const Picture& picture) : frame_(picture.view()) {
    const bool colours = frame_.format == PixelFormat::kBgr || frame_.format == PixelFormat::kRgb;
    const std::size_t rows = frame_.height - 1;
    frame_.data = copy(data_, frame_.data, rows * frame_.stride + frame_.width * (colours ? 3 : 1));
    if (frame_.colour != nullptr) {
      frame_.colour = copy(colour_, frame_.colour,
                           rows / 2 * frame_.colour_stride + (frame_.width + 1) / 2 * 2);
    }
    frame_.memory = FrameMemory::kDevice;
  }
  const FrameView& view() const { return frame_; }

 private:
  static const std::byte* copy(cuda::DeviceMemory& to, const std::byte* from, std::size_t bytes) {
    to = allocate(bytes);
    JACKDAW_CHECK_CUDA(cudaMemcpy(to.get(), from, bytes, cudaMemcpyHostToDevice));
    return static_cast<const std::byte*>(to.get());
  }

  FrameView frame_;
  cuda::DeviceMemory data_, colour_;
};

}  // namespace

TEST_CASE("device preprocess: without a device it says so") {
  if (device_answers()) return;
  CHECK_THROWS_AS(cuda::DevicePreprocess(manifest_for(ColourOrder::kRgb, 8, 8), 4), CudaError);
}

TEST_CASE("device preprocess: settings that cannot be are refused before anything is allocated") {
  const Manifest m = manifest_for(ColourOrder::kRgb, 8, 8);
  CHECK_THROWS_AS(cuda::DevicePreprocess(m, 0), SettingsError);
  CHECK_THROWS_AS(cuda::DevicePreprocess(m, 4, kMostPixelsASide + 1), SettingsError);
  Manifest broken = m;
  broken.deviation.clear();
  CHECK_THROWS_AS(cuda::DevicePreprocess(broken, 4), ManifestError);
}

TEST_CASE("device preprocess: one captured graph, frames of any size, the CPU's bits") {
  if (!device_answers()) return skip("no CUDA device answers");
  std::mt19937_64 rng(seed());
  for (const ColourOrder order : kOrders) {
    const Manifest m = manifest_for(order, 20, 13);
    Preprocess cpu(m);
    cuda::DevicePreprocess gpu(m, 4, 200);
    const std::size_t floats = gpu.target().size();
    const cuda::DeviceMemory input = allocate(4 * floats * sizeof(float));
    const cuda::Stream stream = make_stream();
    cuda::GraphExec exec;
    for (int round = 0; round < 10; ++round) {
      std::vector<Picture> pictures;
      std::vector<Uploaded> uploaded;
      std::vector<FrameView> frames;
      for (const PixelFormat format : kFormats) {
        const auto width = static_cast<std::uint32_t>(1 + rng() % 200);
        const auto height = static_cast<std::uint32_t>(1 + rng() % 200);
        pictures.emplace_back(format, width, height, rng() % 5, rng);
        uploaded.emplace_back(pictures.back());
        frames.push_back(uploaded.back().view());
      }
      REQUIRE(gpu.set_frames(frames, stream.get()) == Status::kOk);
      if (!exec) {
        JACKDAW_CHECK_CUDA(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
        CHECK(gpu.enqueue(static_cast<float*>(input.get()), 4, stream.get()) == Status::kOk);
        cudaGraph_t raw = nullptr;
        JACKDAW_CHECK_CUDA(cudaStreamEndCapture(stream.get(), &raw));
        const cuda::Graph graph(raw);
        cudaGraphExec_t made = nullptr;
        JACKDAW_CHECK_CUDA(cudaGraphInstantiateWithFlags(&made, graph.get(), 0));
        exec = cuda::GraphExec(made);
      }
      JACKDAW_CHECK_CUDA(cudaGraphLaunch(exec.get(), stream.get()));
      std::vector<float> got(4 * floats);
      JACKDAW_CHECK_CUDA(cudaMemcpyAsync(got.data(), input.get(), got.size() * sizeof(float),
                                         cudaMemcpyDeviceToHost, stream.get()));
      JACKDAW_CHECK_CUDA(cudaStreamSynchronize(stream.get()));
      for (std::size_t i = 0; i < 4; ++i) {
        std::vector<float> expected(floats);
        REQUIRE(cpu.run(pictures[i].view(), expected) == Status::kOk);
        CHECK(std::memcmp(got.data() + i * floats, expected.data(), floats * sizeof(float)) == 0);
      }
    }
    CHECK(gpu.set_frames({}, stream.get()) == Status::kWrongSize);
    const Picture picture(PixelFormat::kGrey, 201, 3, 0, rng);
    const FrameView on_host = picture.view();
    CHECK(gpu.set_frames({&on_host, 1}, stream.get()) == Status::kBadFrame);
    const Uploaded too_wide(picture);
    CHECK(gpu.set_frames({&too_wide.view(), 1}, stream.get()) == Status::kBadFrame);
  }
}

}  // namespace jackdaw::testing
