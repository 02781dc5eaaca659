// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The parts of the backend that need CUDA's headers and libraries, but no device. Built where CUDA
// is.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cpu/cpu_ensemble.hpp"
#include "cuda/check.hpp"
#include "cuda/cuda_ensemble.hpp"
#include "cuda/unique_handle.hpp"
#include "jackdaw/error.hpp"
#include "support/skip.hpp"

namespace jackdaw {
namespace {

struct Counted {
  using Handle = int*;
  static constexpr const char* kName = "counted thing";
  static cudaError_t release(Handle h) noexcept {
    ++*h;
    return answer;
  }
  inline static cudaError_t answer = cudaSuccess;
};

bool device_answers() {
  int count = 0;
  const bool answers = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return answers;
}

}  // namespace

TEST_CASE("cuda handles: released once, before another is taken") {
  int a = 0;
  int b = 0;
  {
    cuda::UniqueHandle<Counted> first(&a);
    cuda::UniqueHandle<Counted> second(&b);
    first = std::move(second);
    CHECK(a == 1);
    CHECK(b == 0);
    CHECK(!second);
    cuda::UniqueHandle<Counted>& same = first;
    first = std::move(same);
    CHECK(first.get() == &b);
    Counted::answer = cudaErrorCudartUnloading;
  }
  Counted::answer = cudaSuccess;
  CHECK(b == 1);
}

TEST_CASE("cuda errors: CUDA's name, the call and the place") {
  try {
    JACKDAW_CHECK_CUDA(cudaErrorMemoryAllocation);
    FAIL("nothing was thrown");
  } catch (const CudaError& error) {
    const std::string text = error.what();
    CHECK(text.find("cudaErrorMemoryAllocation") != std::string::npos);
    CHECK(text.find("cuda_host_test.cpp:") != std::string::npos);
  }
}

TEST_CASE("cuda ensemble: without a device it says so") {
  if (device_answers()) return;
  try {
    make_cuda_ensemble({}, {});
    FAIL("nothing was thrown");
  } catch (const CudaError& error) {
    CHECK(std::string(error.what()).find("no CUDA device answers") != std::string::npos);
  }
}

TEST_CASE("cuda ensemble: an embedding on a device becomes the CPU's bytes there") {
  if (!device_answers()) return testing::skip("no CUDA device answers");
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    EnsembleSettings s;
    s.profile = profile;
    s.dimensions = 1001;
    s.max_classes = 3;
    const auto cpu = make_cpu_ensemble(s);
    const auto gpu = make_cuda_ensemble(s, {});
    void* raw = nullptr;
    JACKDAW_CHECK_CUDA(cudaMalloc(&raw, s.dimensions * sizeof(float)));
    const cuda::DeviceMemory memory(raw);
    cudaStream_t raw_stream = nullptr;
    JACKDAW_CHECK_CUDA(cudaStreamCreateWithFlags(&raw_stream, cudaStreamNonBlocking));
    const cuda::Stream stream(raw_stream);
    cudaEvent_t raw_event = nullptr;
    JACKDAW_CHECK_CUDA(cudaEventCreateWithFlags(&raw_event, cudaEventDisableTiming));
    const cuda::Event ready(raw_event);
    std::vector<std::byte> expected(cpu->example_bytes()), example(cpu->example_bytes());
    std::vector<ClassScore> expected_scores(3), scores(3);
    std::vector<float> embedding(s.dimensions);
    std::uint64_t state = 1;
    for (std::uint32_t i = 0; i < 200; ++i) {
      for (float& value : embedding) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        value = static_cast<float>(state >> 40U) - 8388608.0F;
      }
      JACKDAW_CHECK_CUDA(cudaMemcpyAsync(raw, embedding.data(), embedding.size() * sizeof(float),
                                         cudaMemcpyHostToDevice, stream.get()));
      JACKDAW_CHECK_CUDA(cudaEventRecord(ready.get(), stream.get()));
      const DeviceEmbedding there{static_cast<const float*>(raw), embedding.size(), ready.get()};
      CHECK(cpu->admit(embedding, expected) == gpu->admit_on_device(there, example));
      CHECK(example == expected);
      CHECK(cpu->predict(0, expected, expected_scores) == gpu->predict_on_device(0, there, scores));
      CHECK(std::memcmp(scores.data(), expected_scores.data(), 3 * sizeof(ClassScore)) == 0);
    }
  }
}

TEST_CASE("cuda ensemble: on a device, the same as on the CPU") {
  if (!device_answers()) return testing::skip("no CUDA device answers");
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    EnsembleSettings s;
    s.profile = profile;
    s.max_classes = 20;
    const auto cpu = make_cpu_ensemble(s);
    const auto gpu = make_cuda_ensemble(s, {});
    std::uint64_t state = 1;
    std::vector<std::byte> example(cpu->example_bytes());
    std::vector<float> embedding(s.dimensions);
    std::vector<ClassScore> expected(s.max_classes);
    std::vector<ClassScore> scores(s.max_classes);
    for (std::uint32_t slot = 0; slot < 10; ++slot) {
      CHECK(cpu->open_slot(slot) == Status::kOk);
      CHECK(gpu->open_slot(slot) == Status::kOk);
    }
    for (std::uint32_t i = 0; i < 500; ++i) {
      for (float& value : embedding) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        value = static_cast<float>(state >> 40U) - 8388608.0F;
      }
      CHECK(cpu->admit(embedding, example) == Status::kOk);
      CHECK(cpu->predict(0, example, expected) == gpu->predict(0, example, scores));
      CHECK(std::memcmp(scores.data(), expected.data(), scores.size() * sizeof(ClassScore)) == 0);
      CHECK(cpu->teach(example, i % 10, Part::kBoth) == gpu->teach(example, i % 10, Part::kBoth));
      if (i % 100 == 99) CHECK(cpu->refresh() == gpu->refresh());
    }
    std::vector<std::byte> ours(gpu->class_section_bytes());
    std::vector<std::byte> theirs(cpu->class_section_bytes());
    for (std::uint32_t slot = 0; slot < 10; ++slot) {
      CHECK(cpu->export_class(slot, theirs) == Status::kOk);
      CHECK(gpu->export_class(slot, ours) == Status::kOk);
      CHECK(ours == theirs);
    }
  }
}

}  // namespace jackdaw
