// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "ort/ort_encoder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "engines/says.hpp"
#include "engines/tiny_encoder.hpp"
#include "ort/ort_library.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

// Whether ONNX Runtime is here; says why not.
bool present() {
  try {
    (void)ort::load_ort_library();
    return true;
  } catch (const EncoderError& error) {
    skip(error.what());
    return false;
  }
}

std::unique_ptr<Encoder> open(const Manifest& manifest, EncoderBackend backend) {
  EncoderOptions options;
  options.backend = backend;
  return make_encoder(manifest, options);
}

std::string refusal(const Manifest& manifest) {
  try {
    (void)open(manifest, EncoderBackend::kOnnxRuntime);
  } catch (const EncoderError& error) {
    return error.what();
  }
  return "";
}

TinyEncoder random_encoder(std::mt19937_64& random) {
  TinyEncoder tiny;
  std::normal_distribution<float> normal;
  const std::size_t inputs =
      std::size_t{tiny.manifest.channels} * tiny.manifest.height * tiny.manifest.width;
  for (std::size_t i = 0; i < inputs * tiny.manifest.output_size; ++i) {
    tiny.weights.push_back(normal(random));
  }
  return tiny;
}

}  // namespace

TEST_CASE("both libraries give the same embeddings, whatever the batch") {
  if (!present()) return;
  std::mt19937_64 random(seed());
  TemporaryFolder folder;
  TinyEncoder tiny = random_encoder(random);
  const Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  const auto ours = open(manifest, EncoderBackend::kOnnxRuntime);
  const auto other = open(manifest, EncoderBackend::kOpenCv);
  CHECK(says(ours->backend(), "onnxruntime 1."));
  std::vector<std::byte> pixels(std::size_t{64} * 48 * 3 * manifest.max_batch);
  for (std::byte& b : pixels) b = static_cast<std::byte>(random());
  for (std::size_t batch = 0; batch <= manifest.max_batch; ++batch) {
    std::vector<FrameView> frames;
    for (std::size_t i = 0; i < batch; ++i) {
      frames.push_back(
          {PixelFormat::kBgr, 64, 48, pixels.data() + i * std::size_t{64} * 48 * 3, 64 * 3});
    }
    std::vector<float> a(batch * manifest.output_size), b(a.size());
    REQUIRE(ours->encode(frames, a) == Status::kOk);
    REQUIRE(other->encode(frames, b) == Status::kOk);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i] == doctest::Approx(b[i]).epsilon(1e-5));
  }
}

TEST_CASE("a graph that takes bytes gets the pixels as they are, red first") {
  if (!present()) return;
  TemporaryFolder folder;
  TinyEncoder tiny;
  tiny.manifest.layout = InputLayout::kBytePixels;
  const std::size_t inputs = std::size_t{4} * 3 * 3;
  tiny.manifest.output_size = static_cast<std::uint32_t>(inputs);  // the pixels themselves
  tiny.weights.assign(inputs * inputs, 0.0F);
  for (std::size_t i = 0; i < inputs; ++i) tiny.weights[i * inputs + i] = 1.0F;
  const Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = open(manifest, EncoderBackend::kOnnxRuntime);
  std::vector<std::byte> pixels;
  for (std::size_t i = 0; i < 2 * inputs; ++i) pixels.push_back(static_cast<std::byte>(i * 7));
  const std::vector<FrameView> frames{{PixelFormat::kBgr, 4, 3, pixels.data(), 12},
                                      {PixelFormat::kBgr, 4, 3, pixels.data() + inputs, 12}};
  std::vector<float> out(2 * inputs);
  REQUIRE(encoder->encode(frames, out) == Status::kOk);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t blue_first = i - i % 3 + (2 - i % 3);
    CHECK(out[i] == static_cast<float>(pixels[blue_first]));
  }
  const auto why = [&](EncoderBackend backend) {
    try {
      (void)open(manifest, backend);
    } catch (const EncoderError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(says(why(EncoderBackend::kOpenCv), "jackdaw engine get onnxruntime"));
}

TEST_CASE("frames that are none, too many frames and wrong memory are refused") {
  if (!present()) return;
  TemporaryFolder folder;
  const Manifest manifest = read_manifest(TinyEncoder().write(folder.path("tiny")));
  const auto encoder = open(manifest, EncoderBackend::kOnnxRuntime);
  std::vector<float> out(manifest.output_size);
  const FrameView nothing;
  CHECK(encoder->encode({&nothing, 1}, out) == Status::kBadFrame);
  std::vector<std::byte> pixels(12);
  const FrameView frame{PixelFormat::kBgr, 2, 2, pixels.data(), 6};
  CHECK(encoder->encode({&frame, 1}, Span<float>(out.data(), out.size() - 1)) ==
        Status::kWrongSize);
  const std::vector<FrameView> many(manifest.max_batch + 1, frame);
  std::vector<float> all(many.size() * manifest.output_size);
  CHECK(encoder->encode(many, all) == Status::kWrongSize);
}

TEST_CASE("an output that is not finite is a failure, not an embedding") {
  if (!present()) return;
  TemporaryFolder folder;
  TinyEncoder tiny;
  tiny.weights.assign(std::size_t{3} * 3 * 4 * 5, 3e38F);
  const Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = open(manifest, EncoderBackend::kOnnxRuntime);
  const std::vector<std::byte> pixels(std::size_t{4} * 3 * 3, std::byte{255});
  const FrameView frame{PixelFormat::kBgr, 4, 3, pixels.data(), 12};
  std::vector<float> out(manifest.output_size);
  (void)take_log();
  CHECK(encoder->encode({&frame, 1}, out) == Status::kEncoderFailed);
  const auto log = take_log();
  REQUIRE(log.size() == 1);
  CHECK(says(log[0].text, "NaN or infinity"));
}

TEST_CASE("a graph of another shape, type or name is refused by naming both") {
  if (!present()) return;
  TemporaryFolder folder;
  TinyEncoder tiny;
  Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  Manifest wrong = manifest;
  wrong.width = 9;
  CHECK(says(refusal(wrong), "x 3 x 3 x 4"));
  CHECK(says(refusal(wrong), "x 3 x 3 x 9"));
  wrong = manifest;
  wrong.input_name = "picture";
  CHECK(says(refusal(wrong), "picture"));
  wrong = manifest;
  wrong.output_size = 6;
  CHECK(says(refusal(wrong), "x 6"));
  wrong = manifest;
  wrong.layout = InputLayout::kBytePixels;
  CHECK(says(refusal(wrong), "uint8"));
}

TEST_CASE("a file that is no graph is refused with its name") {
  if (!present()) return;
  TemporaryFolder folder;
  const Manifest manifest = read_manifest(TinyEncoder().write(folder.path("tiny")));
  std::ofstream(manifest.graph_path(), std::ios::trunc) << "not a graph";
  CHECK(says(refusal(manifest), manifest.graph_path()));
}

TEST_CASE("a library that others may write is not loaded, nor one that is something else") {
  TemporaryFolder folder;
  const std::string path = folder.path("libonnxruntime.so");
  std::ofstream(path) << "something";
  const auto why = [&] {
    try {
      (void)ort::open_ort_library(path);
    } catch (const EncoderError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(says(why(), path));
  namespace fs = std::filesystem;
  for (const fs::perms who : {fs::perms::others_write, fs::perms::group_write}) {
    fs::permissions(path, who, fs::perm_options::add);
    CHECK(says(why(), "written by others"));
    fs::permissions(path, who, fs::perm_options::remove);
    fs::permissions(folder.path(""), who, fs::perm_options::add);
    CHECK(says(why(), "written by others"));
    fs::permissions(folder.path(""), who, fs::perm_options::remove);
  }
}

}  // namespace jackdaw::testing
