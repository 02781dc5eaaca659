// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// From a frame to an answer on the GPU, without one: the module's own code over a stub of TensorRT
// (trt_stub/), opened as the program opens the real module, and the CUDA ensemble in the emulation.
// The same frames go through the host, and everything that is learned and answered must be the
// same.

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "cuda/gpu_ensemble.hpp"
#include "emulation/emulated_gpu.hpp"
#include "emulation/machine.hpp"
#include "engines/trt_files.hpp"
#include "jackdaw/engines/pipeline.hpp"
#include "jackdaw/sha256.hpp"
#include "support/seed.hpp"
#include "trt/build_main.hpp"
#include "trt/module_encoder.hpp"

namespace jackdaw::trt::test {
namespace {

constexpr std::uint32_t kSize = 37;  // of an embedding

template <class Function>
Function* stub_function(const char* name) {
  void* const module = ::dlopen(JACKDAW_TRT_STUB, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(module != nullptr);
  return reinterpret_cast<Function*>(::dlsym(module, name));
}

int pending() { return stub_function<int()>("jackdaw_stub_pending")(); }

// As the module sees real ones: normalised, and of the learner's size.
Manifest normalised_manifest(const TemporaryFolder& folder) {
  Manifest manifest = toy_manifest(folder);
  manifest.mean = {0.4F, 0.5F, 0.6F};
  manifest.deviation = {0.01F, 0.02F, 0.03F};
  manifest.output_size = kSize;
  return manifest;
}

// The engine is built in the folder when the first encoder is made.
class Toy {
 public:
  Toy() : manifest(normalised_manifest(folder_)), module_(open_trt_module(JACKDAW_TRT_STUB)) {
    request_ = make_request(manifest, folder_ / "engines");
    request_.module_path = JACKDAW_TRT_STUB;
    build_and_store(request_, {});
  }
  std::unique_ptr<Encoder> make() { return open_trt_encoder(module_, manifest, request_); }

 private:
  TemporaryFolder folder_;

 public:
  const Manifest manifest;

 private:
  TrtModule module_;
  EngineRequest request_;
};

LearnerSettings settings_for(const Manifest& manifest, Profile profile) {
  LearnerSettings settings;
  settings.ensemble.profile = profile;
  settings.ensemble.classifiers = 50;
  settings.ensemble.nearest = 7;
  settings.ensemble.dimensions = kSize;
  settings.ensemble.max_classes = 4;
  settings.ensemble.max_batch = 2;
  settings.device = Device::kCpu;
  settings.encoder = encoder_hash(manifest);
  settings.refresh_in_background = false;
  return settings;
}

// A learner on an emulated GPU, which waits for the stub's events and may read its memory.
class GpuLearner {
 public:
  explicit GpuLearner(const LearnerSettings& settings) {
    emulation::set_schedule(testing::seed());
    auto gpu = std::make_unique<emulation::EmulatedGpu>(testing::seed());
    gpu_ = gpu.get();
    gpu_->on_event(stub_function<void(void*)>("jackdaw_stub_finish"));
    learner = std::make_unique<Learner>(
        settings, cuda::make_gpu_ensemble(settings.ensemble, {}, std::move(gpu)));
  }
  ~GpuLearner() {
    for (const std::string& fault : gpu_->faults()) FAIL_CHECK(fault);
  }
  GpuLearner(const GpuLearner&) = delete;
  GpuLearner& operator=(const GpuLearner&) = delete;

  unsigned allocations() const { return gpu_->allocations(); }
  // An encoder's embeddings are always in one place: it is asked once where.
  void may_read(Encoder& encoder, const FrameView& any) {
    DeviceEmbedding embedding;
    REQUIRE(encoder.encode_on_device(any, embedding) == Status::kOk);
    REQUIRE(embedding.size == kSize);
    EncodeTimes done;  // asking for them waits; the frame may go then
    REQUIRE(encoder.times(done));
    borrowed_ =
        std::make_unique<emulation::Borrowed>(embedding.data, embedding.size * sizeof(float));
  }

  std::unique_ptr<Learner> learner;

 private:
  emulation::EmulatedGpu* gpu_;
  std::unique_ptr<emulation::Borrowed> borrowed_;
};

struct Thing {
  explicit Thing(std::uint64_t brightness)
      : pixels(std::size_t{11} * 40, static_cast<std::byte>(brightness)) {}
  FrameView view() const { return {PixelFormat::kBgr, 12, 11, pixels.data(), 40}; }
  std::vector<std::byte> pixels;
};

void check_same(const Answer& a, const Answer& b) {
  REQUIRE(a.scores.size() == b.scores.size());
  CHECK(std::memcmp(a.scores.data(), b.scores.data(), a.scores.size() * sizeof(ClassScore)) == 0);
  CHECK(a.unknown == b.unknown);
  REQUIRE(a.ranked.size() == b.ranked.size());
  for (std::size_t i = 0; i < a.ranked.size(); ++i) {
    CHECK(a.ranked[i].label.text() == b.ranked[i].label.text());
    CHECK(a.ranked[i].confidence == b.ranked[i].confidence);
  }
}

}  // namespace

TEST_CASE("pipeline on the GPU: the host's answers, and the embedding never leaves") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(name_of(profile));
    Toy toy;
    const LearnerSettings settings = settings_for(toy.manifest, profile);
    GpuLearner gpu(settings);
    Learner cpu(settings);
    const auto encoder = toy.make(), other = toy.make();
    gpu.may_read(*encoder, Thing(1).view());
    Pipeline on_gpu(*encoder, *gpu.learner), on_host(*other, cpu);
    CHECK(on_gpu.on_device());
    CHECK_FALSE(on_host.on_device());  // the ensemble is not
    Answer answer = gpu.learner->make_answer(), expected = cpu.make_answer();
    StageTimes times;
    CHECK(on_gpu.teach("bright", times) == Status::kBadFrame);
    const unsigned allocations = gpu.allocations();
    std::mt19937_64 rng(testing::seed());
    for (int i = 0; i < 24; ++i) {
      const bool bright = i % 2 == 0;
      const Thing thing(bright ? 150 + rng() % 50 : 60 + rng() % 50);
      const Status status = on_gpu.answer(thing.view(), answer, times);
      REQUIRE(on_host.answer(thing.view(), expected, times) == status);
      REQUIRE(status == Status::kOk);
      check_same(answer, expected);
      CHECK(on_gpu.embedding().empty());
      CHECK(on_host.embedding().size() == kSize);
      REQUIRE(on_gpu.teach(bright ? "bright" : "dark", times) == Status::kOk);
      REQUIRE(on_host.teach(bright ? "bright" : "dark", times) == Status::kOk);
      if (i % 6 == 5) CHECK(gpu.learner->refresh() == cpu.refresh());
    }
    CHECK(gpu.allocations() == allocations);
    CHECK(gpu.learner->statistics().examples == 24);

    const FrameView broken{PixelFormat::kBgr, 4, 3, nullptr, 12};
    CHECK(on_gpu.answer(broken, answer, times) == Status::kBadFrame);
    CHECK(on_gpu.teach("dark", times) == Status::kBadFrame);  // not the frame before it
  }
}

TEST_CASE("pipeline on the GPU: its stages are timed there, the rest is the answer's") {
  Toy toy;
  GpuLearner gpu(settings_for(toy.manifest, Profile::kDefault));
  const auto encoder = toy.make();
  const Thing thing(100);
  gpu.may_read(*encoder, thing.view());
  Pipeline pipeline(*encoder, *gpu.learner);
  Answer answer = gpu.learner->make_answer();
  StageTimes times;
  REQUIRE(pipeline.answer(thing.view(), answer, times) == Status::kOk);
  // The stub's clock: two copies and a kernel, a run.
  CHECK(times.preprocess == doctest::Approx(0.012));
  CHECK(times.encode == doctest::Approx(0.1));
  CHECK(times.answer >= 0.0);
  REQUIRE(pipeline.teach("thing", times) == Status::kOk);
  CHECK(times.teach > 0.0);
}

TEST_CASE("pipeline on the GPU: the frame is the caller's again, whatever happened") {
  Toy toy;
  GpuLearner gpu(settings_for(toy.manifest, Profile::kDefault));
  const auto encoder = toy.make();
  const Thing thing(100);
  gpu.may_read(*encoder, thing.view());
  Pipeline pipeline(*encoder, *gpu.learner);
  Answer no_room;
  StageTimes times;
  CHECK(pipeline.answer(thing.view(), no_room, times) == Status::kWrongSize);
  CHECK(pending() == 0);
  Answer answer = gpu.learner->make_answer();
  CHECK(pipeline.answer(thing.view(), answer, times) == Status::kOk);
  CHECK(pending() == 0);
}

TEST_CASE("pipeline on the GPU: an encoder that gives host memory only still works") {
  class OnHost final : public Encoder {
   public:
    explicit OnHost(const Manifest& manifest) : manifest_(manifest) {}
    const Manifest& manifest() const noexcept override { return manifest_; }
    std::string backend() const override { return "made up"; }
    Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept override {
      for (float& value : embeddings) value = static_cast<float>(frames.size());
      return Status::kOk;
    }

   private:
    Manifest manifest_;
  };
  Toy toy;
  OnHost encoder(toy.manifest);
  GpuLearner gpu(settings_for(toy.manifest, Profile::kDefault));
  Pipeline pipeline(encoder, *gpu.learner);
  CHECK_FALSE(pipeline.on_device());
  Answer answer = gpu.learner->make_answer();
  StageTimes times;
  const Thing thing(100);
  REQUIRE(pipeline.answer(thing.view(), answer, times) == Status::kOk);
  CHECK(times.preprocess == 0.0);  // not told
  CHECK(pipeline.embedding().size() == kSize);
  CHECK(pipeline.teach("thing", times) == Status::kOk);
  DeviceEmbedding none;
  CHECK(encoder.encode_on_device(thing.view(), none) == Status::kEncoderFailed);
}

}  // namespace jackdaw::trt::test
