// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The module's encoder and its C interface, run on the CPU over a stub of TensorRT and CUDA
// (trt_stub/): batches, memory, order of the work, and every call failing in turn. Compiled twice,
// with preprocessing on the GPU (its kernel emulated) and on the CPU. What TensorRT itself does
// with an engine needs a GPU.

#include <NvInfer.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "emulation/report.hpp"
#include "preprocess/preprocess.hpp"
#include "trt/module.h"

extern "C" const jackdaw_trt_functions* jackdaw_trt_module();

namespace jackdaw::trt::test {
namespace {

using nvinfer1::stub;
using nvinfer1::StubPlan;

constexpr bool kOnGpu = JACKDAW_HAS_CUDA;

const jackdaw_trt_functions& trt = *jackdaw_trt_module();

// One open encoder over one stub plan; closed with the object.
class Rig {
 public:
  explicit Rig(const StubPlan& plan = {}) {
    static const float mean[] = {0.5F, 0.5F, 0.5F}, deviation[] = {0.25F, 0.5F, 1.0F};
    stub = {}, stub_cuda = {};
    request_.graph = {"image", "embedding", 3, 4, 4, 5};
    request_.plan = &plan;
    request_.plan_bytes = sizeof plan;
    request_.mean = mean;
    request_.deviation = deviation;
    plan_ = plan;
  }
  ~Rig() {
    close();
    for (const emulation::Report& r : emulation::take_reports()) FAIL_CHECK(r.text);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  int open() {
    request_.plan = &plan_;
    return trt.open(&request_, &encoder_, &message_);
  }
  void close() {
    trt.close(encoder_);
    encoder_ = nullptr;
  }
  int encode(const std::vector<jackdaw_trt_frame>& frames, std::vector<float>& out) {
    return trt.encode(encoder_, frames.data(), frames.size(), out.data(), &message_);
  }
  int encode_on_device(const jackdaw_trt_frame& frame, jackdaw_trt_embedding& embedding) {
    return trt.encode_on_device(encoder_, &frame, &embedding, &message_);
  }
  jackdaw_trt_times times() {
    jackdaw_trt_times times{};
    CHECK(trt.times(encoder_, &times, &message_) == JACKDAW_TRT_OK);
    return times;
  }
  std::string text() const { return message_.text; }
  jackdaw_trt_encoder* encoder() const { return encoder_; }
  jackdaw_trt_open& request() { return request_; }

  // What the stub makes of this frame.
  std::vector<float> expected(const jackdaw_trt_frame& frame) const {
    Manifest manifest;
    manifest.width = manifest.height = 4;
    manifest.channels = 3;
    manifest.mean.assign(request_.mean, request_.mean + 3);
    manifest.deviation.assign(request_.deviation, request_.deviation + 3);
    FrameView view;
    view.format = static_cast<PixelFormat>(frame.format);
    view.width = frame.width;
    view.height = frame.height;
    view.data = static_cast<const std::byte*>(frame.data);
    view.stride = frame.stride;
    view.colour = static_cast<const std::byte*>(frame.colour);
    view.colour_stride = frame.colour_stride;
    std::vector<float> input(48), out(5);
    REQUIRE(Preprocess(manifest).run(view, input) == Status::kOk);
    double sum = 0.0;
    for (const float value : input) sum += static_cast<double>(value);
    for (std::size_t j = 0; j < 5; ++j) {
      out[j] = static_cast<float>(sum / 48.0) + static_cast<float>(j);
    }
    return out;
  }

 private:
  StubPlan plan_;
  jackdaw_trt_open request_{};
  jackdaw_trt_encoder* encoder_ = nullptr;
  jackdaw_trt_message message_{};
};

// Pictures of 6 x 5, each of another brightness.
struct Pictures {
  explicit Pictures(std::size_t count) : pixels(count, std::vector<unsigned char>(5 * 18)) {
    for (std::size_t i = 0; i < count; ++i) {
      std::memset(pixels[i].data(), static_cast<int>(10 + 9 * i), pixels[i].size());
      jackdaw_trt_frame frame{};
      frame.width = 6;
      frame.height = 5;
      frame.stride = 18;
      frame.data = pixels[i].data();
      frames.push_back(frame);
    }
  }
  std::vector<std::vector<unsigned char>> pixels;
  std::vector<jackdaw_trt_frame> frames;
};

void check_all(Rig& rig, std::size_t count) {
  const Pictures pictures(count);
  std::vector<float> out(5 * count + 1, -7.0F);
  REQUIRE(rig.encode(pictures.frames, out) == JACKDAW_TRT_OK);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<float> wanted = rig.expected(pictures.frames[i]);
    for (std::size_t j = 0; j < 5; ++j) CHECK(out[5 * i + j] == wanted[j]);
  }
  CHECK(out.back() == -7.0F);
}

void check_on_device(Rig& rig) {
  const Pictures pictures(1);
  jackdaw_trt_embedding embedding{};
  REQUIRE(rig.encode_on_device(pictures.frames[0], embedding) == JACKDAW_TRT_OK);
  REQUIRE(cudaEventSynchronize(static_cast<cudaEvent_t>(embedding.ready)) == cudaSuccess);
  const std::vector<float> wanted = rig.expected(pictures.frames[0]);
  for (std::size_t j = 0; j < 5; ++j) CHECK(embedding.data[j] == wanted[j]);
}

// A frame of device memory with the same pixels.
class Uploaded {
 public:
  explicit Uploaded(const jackdaw_trt_frame& frame) : frame_(frame) {
    const std::size_t bytes = frame.stride * frame.height;
    REQUIRE(cudaMalloc(&memory_, bytes) == cudaSuccess);
    std::memcpy(memory_, frame.data, bytes);
    frame_.data = memory_;
    frame_.memory = 1;
  }
  ~Uploaded() { static_cast<void>(cudaFree(memory_)); }
  Uploaded(const Uploaded&) = delete;
  Uploaded& operator=(const Uploaded&) = delete;
  const jackdaw_trt_frame& frame() const { return frame_; }

 private:
  jackdaw_trt_frame frame_;
  void* memory_ = nullptr;
};

}  // namespace

TEST_CASE("trt encoder: any number of pictures, in runs of what the engine takes") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  CHECK(stub.runs == 1);  // the run at the start
  for (std::size_t count = 0; count <= 13; ++count) {
    const int before = stub.runs;
    const long pictures = stub.pictures;
    check_all(rig, count);
    CHECK(stub.pictures - pictures == static_cast<long>(count));  // none is computed in vain
    CHECK(stub.runs - before == static_cast<int>((count + 3) / 4));
  }
  const int shapes = stub.shapes;
  check_all(rig, 1);  // 13 = 3 * 4 + 1: the context knows this batch already
  CHECK(stub.shapes == shapes);
}

TEST_CASE("trt encoder: an engine with a least or a fixed batch is filled up") {
  for (const bool open_batch : {true, false}) {
    StubPlan plan;
    plan.least = 3;
    plan.open_batch = open_batch;
    Rig rig(plan);
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    for (std::size_t count = 1; count <= 9; ++count) check_all(rig, count);
  }
}

TEST_CASE("trt encoder: everything is released") {
  {
    Rig rig;
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    // Runtime, engine, context, stream, three events and blocks of memory.
    CHECK(stub_cuda.live == 7 + (kOnGpu ? 8 : 5));
  }
  CHECK(stub_cuda.live == 0);
  trt.close(nullptr);
}

TEST_CASE("trt encoder: an engine that does not fit the manifest is refused before it runs") {
  const auto refused = [](const StubPlan& plan, const char* word) {
    Rig rig(plan);
    CHECK(rig.open() == JACKDAW_TRT_FAILED);
    CHECK(rig.encoder() == nullptr);
    CAPTURE(rig.text());
    CHECK(rig.text().find(word) != std::string::npos);
    CHECK(stub.runs == 0);
    CHECK(stub_cuda.live == 0);
  };
  StubPlan plan;
  plan.width = 5;
  refused(plan, "not of the manifest's size");
  plan = {};
  plan.half_input = true;
  refused(plan, "float input");
  plan = {};
  plan.more_output = 1;
  refused(plan, "6 numbers, not the 5");
  plan = {};
  plan.least = 0;
  refused(plan, "not of the manifest's size");

  Rig rig;
  rig.request().graph.output_name = "features";
  CHECK(rig.open() == JACKDAW_TRT_FAILED);
  CHECK(rig.text().find("'features'") != std::string::npos);
}

TEST_CASE("trt encoder: an engine without scratch memory runs, too") {
  StubPlan plan;
  plan.scratch = 0;
  Rig rig(plan);
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  check_all(rig, 2);
}

TEST_CASE("trt encoder: TensorRT's first error is the one that is passed on") {
  Rig rig;
  rig.request().plan_bytes = 3;
  CHECK(rig.open() == JACKDAW_TRT_FAILED);
  CHECK(
      rig.text() ==
      "TensorRT does not take the stored engine; build it again: the stub does not like the plan");
}

TEST_CASE("trt encoder: whichever call fails at the start, nothing is left behind") {
  int calls = 0;
  {
    Rig rig;
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    calls = stub_cuda.calls;
  }
  CHECK(calls >= 15);
  for (int at = 1; at <= calls; ++at) {
    CAPTURE(at);
    Rig rig;
    stub_cuda.fail_at = at;
    CHECK(rig.open() == JACKDAW_TRT_FAILED);
    CHECK(rig.encoder() == nullptr);
    CHECK_FALSE(rig.text().empty());
    CHECK(stub_cuda.live == 0);
  }
}

TEST_CASE("trt encoder: a call that fails at work is reported, and the next frame is right") {
  const Pictures pictures(2);
  int calls = 0;
  {
    Rig rig;
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    stub_cuda.calls = 0;
    std::vector<float> out(10);
    CHECK(rig.encode(pictures.frames, out) == JACKDAW_TRT_OK);
    calls = stub_cuda.calls;
  }
  CHECK(calls >= 10);
  for (int at = 1; at <= calls; ++at) {
    CAPTURE(at);
    Rig rig;
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    stub_cuda.calls = 0;
    stub_cuda.fail_at = at;
    std::vector<float> out(10);
    CHECK(rig.encode(pictures.frames, out) == JACKDAW_TRT_FAILED);
    CHECK_FALSE(rig.text().empty());
    check_all(rig, 1);
    check_all(rig, 2);
    check_on_device(rig);
  }
}

TEST_CASE("trt encoder: a frame that is none is a bad frame") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  Pictures pictures(1);
  pictures.frames[0].data = nullptr;
  std::vector<float> out(5);
  CHECK(rig.encode(pictures.frames, out) == JACKDAW_TRT_BAD_FRAME);
  pictures = Pictures(1);
  pictures.frames[0].memory = 2;  // nowhere
  CHECK(rig.encode(pictures.frames, out) == JACKDAW_TRT_BAD_FRAME);
  jackdaw_trt_embedding embedding{};
  CHECK(rig.encode_on_device(pictures.frames[0], embedding) == JACKDAW_TRT_BAD_FRAME);
  check_all(rig, 1);
}

TEST_CASE("trt encoder: frames in device memory are taken as they are") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  const Pictures pictures(3);
  const Uploaded second(pictures.frames[1]);
  const std::vector<jackdaw_trt_frame> frames = {pictures.frames[0], second.frame(),
                                                 pictures.frames[2]};
  std::vector<float> out(15);
  if (!kOnGpu) {
    CHECK(rig.encode(frames, out) == JACKDAW_TRT_BAD_FRAME);
    return;
  }
  const int kernels = stub_cuda.kernels;
  REQUIRE(rig.encode(frames, out) == JACKDAW_TRT_OK);
  CHECK(stub_cuda.kernels == kernels + 1);  // the whole batch in one pass
  for (std::size_t i = 0; i < 3; ++i) {
    const std::vector<float> wanted = rig.expected(pictures.frames[i]);
    for (std::size_t j = 0; j < 5; ++j) CHECK(out[5 * i + j] == wanted[j]);
  }
}

TEST_CASE("trt encoder: rows with gaps, and colours in a plane of their own") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  std::vector<unsigned char> pixels(7 * 20), colours(4 * 10);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<unsigned char>(37 * i);
  for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = static_cast<unsigned char>(91 * i);
  std::vector<jackdaw_trt_frame> frames(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t format = (i + 3) % 4;  // the one with two planes first: others follow it
    jackdaw_trt_frame& frame = frames[i];
    frame.format = format;
    frame.width = 5;
    frame.height = 7;
    frame.data = pixels.data();
    frame.stride = 20;
    frame.colour = format == 3 ? colours.data() : nullptr;
    frame.colour_stride = 10;
  }
  std::vector<float> out(20);
  REQUIRE(rig.encode(frames, out) == JACKDAW_TRT_OK);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    const std::vector<float> wanted = rig.expected(frames[i]);
    for (std::size_t j = 0; j < 5; ++j) CHECK(out[5 * i + j] == wanted[j]);
  }
}

TEST_CASE("trt encoder: what does not fit the staging memory waits, or goes by the CPU") {
  for (const std::uint64_t staging : {1U, 256U, 512U, 700U}) {  // a picture takes 256
    CAPTURE(staging);
    Rig rig;
    rig.request().staging_bytes = staging;
    REQUIRE(rig.open() == JACKDAW_TRT_OK);
    const int before = stub.runs;
    const int allocations = stub_cuda.allocations;
    check_all(rig, 4);
    const int at_once = staging < 512 ? 1 : 2;
    CHECK(stub.runs - before == (kOnGpu ? 4 / at_once : 1));
    CHECK((stub_cuda.kernels > 0) == (kOnGpu && staging > 1));
    check_on_device(rig);
    CHECK(stub_cuda.allocations == allocations);
  }
}

TEST_CASE("trt encoder: an embedding stays on the device, and nobody waits for it") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  const int before = stub.runs;
  const Pictures pictures(2);
  jackdaw_trt_embedding embedding{};
  REQUIRE(rig.encode_on_device(pictures.frames[0], embedding) == JACKDAW_TRT_OK);
  CHECK(stub.runs == before);  // not yet
  // The next call waits for the one before, whose memory it uses.
  REQUIRE(rig.encode_on_device(pictures.frames[1], embedding) == JACKDAW_TRT_OK);
  CHECK(stub.runs == before + 1);
  check_on_device(rig);
  check_all(rig, 3);
  // Whatever fails, the next one is right.
  for (int at = 1; at <= 8; ++at) {
    CAPTURE(at);
    stub_cuda.calls = 0;
    stub_cuda.fail_at = at;
    const int code = rig.encode_on_device(pictures.frames[0], embedding);
    stub_cuda.fail_at = 0;
    CHECK(code == (stub_cuda.calls >= at ? JACKDAW_TRT_FAILED : JACKDAW_TRT_OK));
    check_on_device(rig);
  }
}

TEST_CASE("trt encoder: times are the GPU's own, of all runs together") {
  Rig rig;
  REQUIRE(rig.open() == JACKDAW_TRT_OK);
  check_on_device(rig);  // the first of its size: the weights are copied
  check_on_device(rig);
  // On the GPU: the frame, the batch's descriptor and the kernel.
  const double one = kOnGpu ? 0.012 : 0.001;
  CHECK(rig.times().preprocess == doctest::Approx(one));
  CHECK(rig.times().encode == doctest::Approx(0.1));
  check_all(rig, 4);
  check_all(rig, 8);
  const double four = kOnGpu ? 0.015 : 0.001;
  CHECK(rig.times().preprocess == doctest::Approx(2 * four));
  CHECK(rig.times().encode == doctest::Approx(0.2));
  check_all(rig, 0);
  CHECK(rig.times().encode == 0.0);
}

TEST_CASE("trt module: the version, the device and why there is none") {
  CHECK(std::string(trt.tensorrt_version()) == "10.3.0");
  CHECK(trt.abi == JACKDAW_TRT_ABI);
  jackdaw_trt_device device{};
  jackdaw_trt_message message{};
  stub = {}, stub_cuda = {};
  CHECK(trt.device(&device, &message) == JACKDAW_TRT_OK);
  CHECK(std::string(device.name) == "Stub");
  CHECK(device.multiprocessors == 16);
  stub_cuda.devices = 0;
  CHECK(trt.device(&device, &message) == JACKDAW_TRT_NO_GPU);
  stub_cuda.device_error = cudaErrorNoDevice;
  CHECK(trt.device(&device, &message) == JACKDAW_TRT_NO_GPU);
  stub_cuda.device_error = cudaErrorInsufficientDriver;
  CHECK(trt.device(&device, &message) == JACKDAW_TRT_NO_DRIVER);
  stub_cuda.device_error = cudaErrorUnknown;
  CHECK(trt.device(&device, &message) == JACKDAW_TRT_FAILED);
  stub = {}, stub_cuda = {};
}

TEST_CASE("trt module: no exception gets out, and no message is too long") {
  jackdaw_trt_build build{};
  build.graph = {"image", "embedding", 3, 4, 4, 5};
  build.take_plan = [](void* user, const void* plan, std::size_t bytes) {
    static_cast<std::string*>(user)->assign(static_cast<const char*>(plan), bytes);
    return 1;
  };
  std::string plan;
  build.user = &plan;
  jackdaw_trt_message message{};
  const auto run = [&](const char* path) {
    build.onnx_path = path;
    return trt.build(&build, &message);
  };
  CHECK(run("cancelled") == JACKDAW_TRT_CANCELLED);
  CHECK(run("memory") == JACKDAW_TRT_FAILED);
  CHECK(std::string(message.text) == "there is not enough memory");
  CHECK(run("number") == JACKDAW_TRT_FAILED);
  CHECK(run("long") == JACKDAW_TRT_FAILED);
  CHECK(std::strlen(message.text) == sizeof message.text - 1);
  CHECK(run("good") == JACKDAW_TRT_OK);
  CHECK(plan == "plan");
  build.take_plan = [](void*, const void*, std::size_t) { return 0; };
  CHECK(run("good") == JACKDAW_TRT_FAILED);
}

}  // namespace jackdaw::trt::test
