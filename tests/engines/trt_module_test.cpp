// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The program's side of the module, against modules that we make ourselves (trt_fake_module.cpp):
// the reasons why TensorRT cannot be used, the build in a process of its own, the encoder.

#include "trt/trt_module.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <functional>

#include "jackdaw/sha256.hpp"
#include "support/log.hpp"
#include "trt/build_child.hpp"
#include "trt/engine_file.hpp"
#include "trt/module_encoder.hpp"
#include "trt_files.hpp"

namespace jackdaw::trt::test {
namespace {

// While it lives, the fake module does this.
class Fake {
 public:
  explicit Fake(const char* what) { ::setenv("JACKDAW_FAKE_TRT", what, 1); }
  ~Fake() { ::unsetenv("JACKDAW_FAKE_TRT"); }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;
};

TrtModule good_module() { return open_trt_module(JACKDAW_FAKE_GOOD); }

void expect(TrtReason reason, const std::string& word, const std::function<void()>& work) {
  try {
    work();
    FAIL("nothing was reported; expected: " << word);
  } catch (const TrtUnavailable& error) {
    INFO(error.what());
    CHECK(error.reason == reason);
    CHECK(std::strstr(error.what(), word.c_str()) != nullptr);
    CHECK(std::strchr(error.what(), '\n') == nullptr);
  }
}

// The sentence of the EncoderError that work throws.
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const EncoderError& error) {
    return error.what();
  }
  return "nothing was reported";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

EngineRequest toy_request(const TemporaryFolder& folder) {
  EngineRequest request = make_request(toy_manifest(folder), folder / "engines");
  request.module_path = JACKDAW_FAKE_GOOD;
  return request;
}

std::string run_child(const EngineRequest& request, const BuildReport& report = {}) {
  return run_build_child(JACKDAW_BUILD_CHILD, request, report);
}

}  // namespace

TEST_CASE("trt module: a good one is opened") {
  const TrtModule module = good_module();
  CHECK(module.tensorrt_version() == "10.3.0");
  const TrtDevice device = module.device();
  CHECK(device.id.name == "Orin");
  CHECK(device.id.sm_major == 8);
  CHECK(device.id.sm_minor == 7);
  CHECK(device.memory_bytes == std::uint64_t{8} << 30U);
}

TEST_CASE("trt module: what is wrong with a module is one sentence") {
  expect(TrtReason::kNoModule, "/nowhere/x.so is not there",
         [] { open_trt_module("/nowhere/x.so"); });
  expect(TrtReason::kOtherAbi, "version 999", [] { open_trt_module(JACKDAW_FAKE_OTHER_ABI); });
  expect(TrtReason::kBadModule, "has no jackdaw_trt_module",
         [] { open_trt_module(JACKDAW_FAKE_NO_ENTRY); });
  expect(TrtReason::kBadModule, "gives no functions", [] { open_trt_module(JACKDAW_FAKE_NULL); });
  expect(TrtReason::kNoTensorRt, "needs libjackdaw-no-such-nvinfer.so",
         [] { open_trt_module(JACKDAW_FAKE_NEEDS_MORE); });
  const TemporaryFolder folder;
  write_file(folder / "text.so", "this is not a library");
  expect(TrtReason::kBadModule, "cannot be loaded", [&] { open_trt_module(folder / "text.so"); });
}

TEST_CASE("trt module: it is looked for where it is said to be") {
  ::unsetenv("JACKDAW_TRT_MODULE");
  expect(TrtReason::kNoModule, "JACKDAW_TRT_MODULE is not set", [] { find_trt_module(); });
  ::setenv("JACKDAW_TRT_MODULE", "/nowhere/x.so", 1);
  expect(TrtReason::kNoModule, "names /nowhere/x.so", [] { find_trt_module(); });
  ::setenv("JACKDAW_TRT_MODULE", JACKDAW_FAKE_OTHER_ABI, 1);
  expect(TrtReason::kOtherAbi, "version 999", [] { find_trt_module(); });
  ::setenv("JACKDAW_TRT_MODULE", JACKDAW_FAKE_GOOD, 1);
  CHECK(find_trt_module().path() == JACKDAW_FAKE_GOOD);
  ::unsetenv("JACKDAW_TRT_MODULE");
}

TEST_CASE("trt module: no driver, no GPU and a broken GPU are told apart") {
  const TrtModule module = good_module();
  const auto ask = [&] { (void)module.device(); };
  {
    const Fake fake("no driver");
    expect(TrtReason::kNoDriver, "driver too old", ask);
  }
  {
    const Fake fake("no gpu");
    expect(TrtReason::kNoGpu, "reports no GPU", ask);
  }
  const Fake fake("gpu failed");
  expect(TrtReason::kGpuFailed, "unspecified launch failure", ask);
}

TEST_CASE("trt request: what is written as arguments is read back") {
  const TemporaryFolder folder;
  EngineRequest request = toy_request(folder);
  request.batch = {1, 2, 3};
  request.input_name = "with = and space";
  const std::vector<std::string> words = to_arguments(request);
  CHECK(to_arguments(from_arguments(words)) == words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<std::string> fewer = words;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(has(error_of([&] { from_arguments(fewer); }), "engine build: no "));
  }
  for (const char* wrong : {"batch_max=-1", "batch_max=", "batch_max=1x", "batch_max=4294967296",
                            "precision=int8", "unknown=1", "noequals"}) {
    std::vector<std::string> changed = words;
    changed.push_back(wrong);
    CAPTURE(wrong);
    CHECK(has(error_of([&] { from_arguments(changed); }), "engine build: "));
  }
}

TEST_CASE("trt request: half where there is a half graph, float otherwise") {
  const TemporaryFolder folder;
  Manifest manifest = toy_manifest(folder);
  CHECK(make_request(manifest, "e").precision == Precision::kFloat);
  manifest.half_file = "toy.fp16.onnx";
  manifest.half_sha256 = std::string(64, 'f');
  CHECK(make_request(manifest, "e").precision == Precision::kHalf);
  CHECK(make_request(manifest, "e").onnx_path == folder / "toy.fp16.onnx");
  EngineOptions options;
  options.prefer_half = false;
  options.usual_batch = 99;
  CHECK(make_request(manifest, "e", options).precision == Precision::kFloat);
  CHECK(make_request(manifest, "e", options).batch.opt == manifest.max_batch);
}

TEST_CASE("trt build: in a child, with progress, a log and an engine at the end") {
  const TemporaryFolder folder;
  const EngineRequest request = toy_request(folder);
  (void)testing::take_log();
  double last = 0.0;
  std::string steps;
  const std::string path = run_child(request, [&](double done, const std::string& step) {
    CHECK(done >= last);
    last = done;
    steps += step + "; ";
    return true;
  });
  CHECK(has(steps, "reading the graph; "));  // a line stays a line
  const TrtModule module = good_module();
  const EngineKey key = make_key(request, module, module.device().id);
  CHECK(path == engine_path(request, key));
  CHECK(text_of(load_engine(path, to_text(key))) == "plan of a graph");
  const std::string timings = timing_cache_path(request, key);
  CHECK(text_of(load_engine(timings, timing_cache_text(key))) == "t");
  bool warned = false;
  for (const auto& entry : testing::take_log()) {
    warned = warned || (entry.level == LogLevel::kWarning && has(entry.text, "a tactic is slow"));
  }
  CHECK(warned);
  run_child(request);  // the second build starts from the first one's timings
  CHECK(text_of(load_engine(timings, timing_cache_text(key))) == "tt");
}

TEST_CASE("trt build: however the child ends, it is one sentence") {
  const TemporaryFolder folder;
  EngineRequest request = toy_request(folder);
  const auto sentence = [&] { return error_of([&] { run_child(request); }); };
  {
    const Fake fake("killed");
    const std::string text = sentence();
    CHECK(has(text, "was killed"));
    CHECK(has(text, "memory"));
    CHECK(has(text, "reading the graph"));
  }
  {
    const Fake fake("crash");
    CHECK(has(sentence(), "crashed inside TensorRT"));
  }
  {
    const Fake fake("silent exit");
    CHECK(has(sentence(), "code 7 and without a word"));
  }
  {
    const Fake fake("refuse");
    CHECK(has(sentence(), "no such operator"));
  }
  {
    const Fake fake("no gpu");
    CHECK(has(sentence(), "reports no GPU"));
  }
  CHECK(
      has(error_of([&] { run_build_child("/nowhere/jackdaw", request, {}); }), "/nowhere/jackdaw"));
  write_file(folder / "engines-file", "");
  request.engine_folder = folder / "engines-file";  // a file where the folder should be
  CHECK(has(sentence(), "cannot make the folder"));
  request = toy_request(folder);
  write_file(folder / "toy.onnx", "another graph");
  CHECK(has(sentence(), "SHA-256 differs"));
  ::unlink((folder / "toy.onnx").c_str());
  CHECK(has(sentence(), "toy.onnx"));
}

TEST_CASE("trt build: it stops when asked to") {
  const TemporaryFolder folder;
  const EngineRequest request = toy_request(folder);
  const Fake fake("slow");
  int calls = 0;
  CHECK_THROWS_AS(run_child(request, [&](double, const std::string&) { return ++calls < 5; }),
                  EngineBuildStopped);
}

TEST_CASE("trt encoder: through the module, from frames to embeddings") {
  const TemporaryFolder folder;
  const TrtModule module = good_module();
  const Manifest manifest = toy_manifest(folder);
  const EngineRequest request = toy_request(folder);
  const auto open = [&] { return open_trt_encoder(module, manifest, request); };
  CHECK(has(error_of([&] { open(); }), "there is none yet"));
  const std::string path = build_and_store(request, {});

  const std::unique_ptr<Encoder> encoder = open();
  CHECK(encoder->backend() == "TensorRT 10.3.0, fp32, Orin");
  const std::vector<std::byte> grey(16 * 16 * 3, std::byte{50});
  FrameView frame;
  frame.width = frame.height = 16;
  frame.stride = 48;
  frame.data = grey.data();
  const std::vector<FrameView> frames(4, frame);
  std::vector<float> embeddings(12, -1.0F);
  CHECK(encoder->encode({frames.data(), 3}, embeddings) == Status::kOk);
  for (std::size_t i = 0; i < 12; ++i) CHECK(embeddings[i] == 50.0F + static_cast<float>(i % 4));
  CHECK(encoder->encode({}, {}) == Status::kOk);
  CHECK(encoder->encode(frames, embeddings) == Status::kWrongSize);  // over max_batch
  CHECK(encoder->encode({frames.data(), 2}, embeddings) == Status::kWrongSize);
  const FrameView empty;
  CHECK(encoder->encode({&empty, 1}, {embeddings.data(), 4}) == Status::kBadFrame);
  {
    const Fake fake("bad frame");
    CHECK(encoder->encode({&frame, 1}, {embeddings.data(), 4}) == Status::kBadFrame);
  }
  {
    const Fake fake("encode failed");
    (void)testing::take_log();
    CHECK(encoder->encode({&frame, 1}, {embeddings.data(), 4}) == Status::kEncoderFailed);
    const auto entries = testing::take_log();
    REQUIRE(entries.size() == 1);
    CHECK(has(entries[0].text, "unspecified launch failure"));
  }
  EncodeTimes times;
  CHECK(encoder->times(times));
  CHECK(times.preprocess == 0.25);
  CHECK(times.encode == 0.5);
  {
    const Fake fake("no times");
    CHECK_FALSE(encoder->times(times));
  }
  CHECK(encoder->on_device());
  DeviceEmbedding left;
  CHECK(encoder->encode_on_device(empty, left) == Status::kBadFrame);
  (void)testing::take_log();
  CHECK(encoder->encode_on_device(frame, left) == Status::kEncoderFailed);
  CHECK(left.data == nullptr);
  CHECK(testing::take_log().size() == 1);
  {
    const Fake fake("open failed");
    CHECK(has(error_of([&] { open(); }), "out of device memory"));
  }
  std::string stored = read_file(path);
  stored.back() = static_cast<char>(stored.back() ^ 1);
  write_file(path, stored);
  CHECK(has(error_of([&] { open(); }), "checksum does not hold"));
}

}  // namespace jackdaw::trt::test
