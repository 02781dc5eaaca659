// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/encoder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "engines/says.hpp"
#include "engines/tiny_encoder.hpp"
#include "preprocess/preprocess.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

std::unique_ptr<Encoder> open(const Manifest& manifest) {
  EncoderOptions options;
  options.backend = EncoderBackend::kOpenCv;
  return make_encoder(manifest, options);
}

std::string refusal(const Manifest& manifest) {
  try {
    (void)open(manifest);
  } catch (const EncoderError& error) {
    return error.what();
  }
  return "";
}

struct Frames {
  std::vector<std::vector<std::byte>> pixels;
  std::vector<FrameView> views;
};

Frames random_frames(std::size_t count) {
  std::mt19937_64 random(seed());
  Frames frames;
  for (std::size_t i = 0; i < count; ++i) {
    const auto width = static_cast<std::uint32_t>(1 + random() % 20);
    const auto height = static_cast<std::uint32_t>(1 + random() % 20);
    std::vector<std::byte> pixels(std::size_t{width} * height * 3);
    for (std::byte& p : pixels) p = static_cast<std::byte>(random());
    frames.pixels.push_back(std::move(pixels));
    FrameView view;
    view.width = width;
    view.height = height;
    view.data = frames.pixels.back().data();
    view.stride = std::size_t{width} * 3;
    frames.views.push_back(view);
  }
  return frames;
}

TinyEncoder random_encoder() {
  TinyEncoder tiny;
  std::mt19937_64 random(seed());
  std::normal_distribution<float> normal;
  for (int i = 0; i < 5 * 3 * 3 * 4; ++i) tiny.weights.push_back(normal(random));
  return tiny;
}

TEST_CASE("an embedding is what the graph computes of the preprocessed frame") {
  const TemporaryFolder folder;
  TinyEncoder tiny = random_encoder();
  const Manifest m = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = open(m);
  CHECK(encoder->manifest().name == "tiny");
  CHECK(encoder->backend().substr(0, 7) == "opencv ");
  const Frames frames = random_frames(10);
  Preprocess preprocess(m);
  for (const FrameView& frame : frames.views) {
    std::vector<float> input(36), embedding(5);
    REQUIRE(preprocess.run(frame, input) == Status::kOk);
    REQUIRE(encoder->encode({&frame, 1}, embedding) == Status::kOk);
    for (std::size_t row = 0; row < 5; ++row) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 36; ++i) {
        sum += static_cast<double>(tiny.weights[row * 36 + i]) * static_cast<double>(input[i]);
      }
      CHECK(static_cast<double>(embedding[row]) == doctest::Approx(sum).epsilon(1e-4));
    }
  }
}

TEST_CASE("a batch of any size gives the bits of one by one") {
  const TemporaryFolder folder;
  const auto encoder = open(read_manifest(random_encoder().write(folder.path("tiny"))));
  const Frames frames = random_frames(6);
  std::vector<float> single(30);
  for (std::size_t i = 0; i < 6; ++i) {
    REQUIRE(encoder->encode({&frames.views[i], 1}, Span<float>(single).subspan(i * 5, 5)) ==
            Status::kOk);
  }
  for (const std::size_t size : {6U, 1U, 5U, 2U, 4U, 3U, 0U}) {
    std::vector<float> batch(size * 5);
    REQUIRE(encoder->encode({frames.views.data(), size}, batch) == Status::kOk);
    CHECK(batch == std::vector<float>(single.begin(),
                                      single.begin() + static_cast<std::ptrdiff_t>(size * 5)));
  }
}

TEST_CASE("a broken frame, too many of them and a wrong span are refused; the next frame works") {
  const TemporaryFolder folder;
  const auto encoder = open(read_manifest(random_encoder().write(folder.path("tiny"))));
  Frames frames = random_frames(7);
  std::vector<float> out(35, 7.0F);
  CHECK(encoder->encode(frames.views, out) == Status::kWrongSize);
  CHECK(encoder->encode({frames.views.data(), 6}, Span<float>(out).first(29)) ==
        Status::kWrongSize);
  const FrameView good = frames.views[3];
  frames.views[3].stride = 1;
  CHECK(encoder->encode({frames.views.data(), 6}, Span<float>(out).first(30)) == Status::kBadFrame);
  frames.views[3] = good;
  frames.views[3].memory = FrameMemory::kDevice;
  CHECK(encoder->encode({&frames.views[3], 1}, Span<float>(out).first(5)) == Status::kBadFrame);
  CHECK(out == std::vector<float>(35, 7.0F));
  frames.views[3] = good;
  CHECK(encoder->encode({frames.views.data(), 6}, Span<float>(out).first(30)) == Status::kOk);
}

TEST_CASE("an output that is not finite is a failure with one line in the log") {
  const TemporaryFolder folder;
  TinyEncoder tiny;
  tiny.weights.assign(180, 1.0F);
  tiny.weights[7] = std::numeric_limits<float>::infinity();
  const auto encoder = open(read_manifest(tiny.write(folder.path("tiny"))));
  const Frames frames = random_frames(1);
  std::vector<float> out(5, 7.0F);
  (void)take_log();
  CHECK(encoder->encode(frames.views, out) == Status::kEncoderFailed);
  CHECK(out == std::vector<float>(5, 7.0F));
  const auto entries = take_log();
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].level == LogLevel::kError);
  CHECK(says(entries[0].text, "tiny failed: its output holds NaN or infinity"));
}

TEST_CASE("a graph of another size than the manifest's is refused with both sizes") {
  const TemporaryFolder folder;
  TinyEncoder tiny;
  SUBCASE("the output") {
    tiny.output_size = 8;
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("tiny")))),
               "output \"embedding\" is [any, 8], but the manifest says [any, 5]"));
  }
  SUBCASE("the input's sides") {
    tiny.input_sizes = {0, 3, 6, 2};
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("tiny")))),
               "input \"image\" is [any, 3, 6, 2], but the manifest says [any, 3, 3, 4]"));
  }
  SUBCASE("the input's channels") {
    tiny.input_sizes = {1, 1, 3, 4};
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("tiny")))),
               "input \"image\" is [1, 1, 3, 4], but the manifest says [any, 3, 3, 4]"));
  }
  SUBCASE("a size that the file leaves open shows when it is run") {
    const std::string graph = [] {
      TinyEncoder other;
      other.manifest.width = 5;
      std::string bytes = other.graph();
      // [any, 3, 3, 5] -> [any, 3, 3, 4]: the dimension's value is the last byte of its message.
      const std::size_t at = bytes.find(std::string("\x0A\x02\x08\x03\x0A\x02\x08\x05", 8));
      REQUIRE(at != std::string::npos);
      bytes[at + 7] = 4;
      return bytes;
    }();
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("tiny"), graph))),
               "cannot run it with an input of 3x3x4"));
  }
  SUBCASE("the names") {
    const std::string graph = tiny.graph();
    tiny.manifest.input_name = "pixels";
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("a"), graph))),
               "its inputs are: \"image\"; the manifest's graph.input is \"pixels\""));
    tiny.manifest.input_name = "image";
    tiny.manifest.output_name = "features";
    CHECK(says(refusal(read_manifest(tiny.write(folder.path("b"), graph))),
               "its outputs are: \"embedding\""));
  }
}

TEST_CASE("what is not ONNX is refused without a word on stderr") {
  const TemporaryFolder folder;
  TinyEncoder tiny;
  const std::string graph = tiny.graph();
  CHECK(says(refusal(read_manifest(tiny.write(folder.path("a"), "not a graph"))), "tiny.onnx"));
  CHECK(says(refusal(read_manifest(tiny.write(folder.path("b"), ""))), "there is no graph in it"));
  std::mt19937_64 random(seed());
  for (std::size_t size = 1; size < graph.size(); size += 13) {
    CAPTURE(size);
    CHECK(refusal(read_manifest(tiny.write(folder.path("c"), graph.substr(0, size)))) != "");
  }
  for (int round = 0; round < 300; ++round) {
    std::string bytes = graph;
    bytes[random() % bytes.size()] ^= static_cast<char>(1U << random() % 8);
    (void)refusal(read_manifest(tiny.write(folder.path("d"), bytes)));  // or it works: no crash
  }
  Manifest gone = tiny.manifest;
  gone.graph_file = "gone.onnx";
  CHECK(says(refusal(gone), "gone.onnx"));
}

TEST_CASE("auto says in the log what it took; TensorRT says that it is not there") {
  const TemporaryFolder folder;
  const Manifest m = read_manifest(TinyEncoder().write(folder.path("tiny")));
  (void)take_log();
  const std::string taken = make_encoder(m)->backend();  // whichever of the two is here
  CHECK((taken.substr(0, 7) == "opencv " || taken.substr(0, 12) == "onnxruntime "));
  const auto entries = take_log();
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].level == LogLevel::kInfo);
  CHECK(says(entries[0].text, "the encoder tiny runs on " + taken + ": TensorRT cannot be used"));
  EncoderOptions options;
  options.backend = EncoderBackend::kTensorRt;
  CHECK_THROWS_AS((void)make_encoder(m, options), EncoderError);
  options.backend = EncoderBackend::kOpenCv;
  options.threads = 1;
  CHECK(says(make_encoder(m, options)->backend(), ", 1 thread"));
}

}  // namespace
}  // namespace jackdaw::testing
