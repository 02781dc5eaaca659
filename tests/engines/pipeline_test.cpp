// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// From a frame to an answer; and an encoder whose last layer is a calibration.

#include "jackdaw/engines/pipeline.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "engines/tiny_encoder.hpp"
#include "jackdaw/engines/calibration.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

using Rng = std::mt19937_64;

TinyEncoder random_encoder(Rng& rng) {
  std::normal_distribution<float> normal;
  TinyEncoder tiny;
  tiny.weights.resize(std::size_t{tiny.manifest.output_size} * 3 * 3 * 4);
  for (float& w : tiny.weights) w = normal(rng);
  return tiny;
}

// A picture of the encoder's own size: one colour with some noise.
struct Thing {
  std::vector<std::byte> pixels = std::vector<std::byte>(3 * 4 * 3);
  FrameView view() const { return {PixelFormat::kBgr, 4, 3, pixels.data(), 12}; }
};

Thing random_thing(std::uint32_t colour, Rng& rng) {
  Thing thing;
  for (std::size_t i = 0; i < thing.pixels.size(); ++i) {
    const std::uint32_t base = (colour >> (8 * (i % 3))) & 0xFFU;
    thing.pixels[i] = static_cast<std::byte>(base * 7 / 8 + rng() % 32);
  }
  return thing;
}

LearnerSettings settings_for(const Manifest& manifest) {
  LearnerSettings settings;
  settings.ensemble.classifiers = 64;
  settings.ensemble.nearest = 8;
  settings.ensemble.dimensions = manifest.output_size;
  settings.ensemble.max_classes = 4;
  settings.device = Device::kCpu;
  settings.encoder = encoder_hash(manifest);
  return settings;
}

TEST_CASE("what was shown is known again, and every stage says how long it took") {
  Rng rng(seed());
  const TemporaryFolder folder;
  TinyEncoder tiny = random_encoder(rng);
  const Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = make_encoder(manifest, {EncoderBackend::kOpenCv, 1});
  Learner learner(settings_for(manifest));
  Pipeline pipeline(*encoder, learner);
  Answer answer = learner.make_answer();
  StageTimes times;

  CHECK_FALSE(pipeline.on_device());
  CHECK(pipeline.embedding().empty());
  CHECK(pipeline.teach("red", times) == Status::kBadFrame);  // nothing was shown yet
  for (int i = 0; i < 30; ++i) {
    const Thing red = random_thing(0xE01010, rng), green = random_thing(0x10E010, rng);
    REQUIRE(pipeline.answer(red.view(), answer, times) == Status::kOk);
    REQUIRE(pipeline.teach("red", times) == Status::kOk);
    REQUIRE(pipeline.answer(green.view(), answer, times) == Status::kOk);
    REQUIRE(pipeline.teach("green", times) == Status::kOk);
  }
  REQUIRE(learner.refresh() == Status::kOk);
  const Thing red = random_thing(0xE01010, rng);
  REQUIRE(pipeline.answer(red.view(), answer, times) == Status::kOk);
  CHECK(answer.best().label.text() == "red");
  CHECK(times.preprocess > 0.0);
  CHECK(times.encode > 0.0);
  CHECK(times.answer > 0.0);
  CHECK(times.teach > 0.0);
  CHECK(pipeline.embedding().size() == manifest.output_size);

  const FrameView broken{PixelFormat::kBgr, 4, 3, nullptr, 12};
  CHECK(pipeline.answer(broken, answer, times) == Status::kBadFrame);
  CHECK(pipeline.teach("red", times) == Status::kBadFrame);  // not the frame before it
  CHECK(learner.statistics().examples == 60);
}

TEST_CASE("a learner of other sizes or of another encoder is refused") {
  Rng rng(seed());
  const TemporaryFolder folder;
  TinyEncoder tiny = random_encoder(rng);
  const Manifest manifest = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = make_encoder(manifest, {EncoderBackend::kOpenCv, 1});
  LearnerSettings settings = settings_for(manifest);
  settings.encoder = "another";
  Learner other(settings);
  CHECK_THROWS_WITH_AS(Pipeline(*encoder, other), doctest::Contains("another encoder"),
                       SettingsError);
  settings = settings_for(manifest);
  settings.ensemble.dimensions = 6;
  Learner wider(settings);
  CHECK_THROWS_WITH_AS(Pipeline(*encoder, wider), doctest::Contains("5 numbers"), SettingsError);
  Learner fits(settings_for(manifest));
  CHECK_THROWS_WITH_AS(Pipeline(*encoder, fits, 1), doctest::Contains("context 1"), SettingsError);
}

TEST_CASE("a folded calibration gives projection (features - mean), and names where it is from") {
  Rng rng(seed());
  const TemporaryFolder folder;
  TinyEncoder tiny = random_encoder(rng);
  const Manifest raw = read_manifest(tiny.write(folder.path("tiny")));
  const auto encoder = make_encoder(raw, {EncoderBackend::kOpenCv, 1});
  CalibrationStatistics statistics(raw.output_size);
  std::vector<float> features(raw.output_size);
  for (int i = 0; i < 50; ++i) {
    const Thing thing = random_thing(static_cast<std::uint32_t>(rng()), rng);
    const FrameView view = thing.view();
    REQUIRE(encoder->encode({&view, 1}, features) == Status::kOk);
    statistics.add(features);
  }
  const Calibration c = statistics.finish(3, 0.3, "things", raw.graph_sha256);
  const Manifest folded = fold_calibration(raw, c, folder.path("tiny@things-3"));
  CHECK(folded.name == "tiny@things-3");
  const Manifest read = read_manifest(folder.path("tiny@things-3/manifest.json"));
  REQUIRE(read.calibration.has_value());
  CHECK(read.calibration->pictures == "things");
  CHECK(read.calibration->count == 50);
  CHECK(read.output_size == 3);
  CHECK(encoder_hash(read) != encoder_hash(raw));

  const auto calibrated = make_encoder(read, {EncoderBackend::kOpenCv, 1});
  const Thing thing = random_thing(0x8040C0, rng);
  const FrameView view = thing.view();
  std::vector<float> out(3);
  REQUIRE(encoder->encode({&view, 1}, features) == Status::kOk);
  REQUIRE(calibrated->encode({&view, 1}, out) == Status::kOk);
  for (std::size_t d = 0; d < 3; ++d) {
    double expected = 0.0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      expected += static_cast<double>(to_float(c.projection[d * features.size() + i])) *
                  (static_cast<double>(features[i]) - static_cast<double>(c.mean[i]));
    }
    CHECK(static_cast<double>(out[d]) == doctest::Approx(expected).epsilon(1e-4));
  }
  CHECK_THROWS_WITH_AS(fold_calibration(read, c, folder.path("twice")),
                       doctest::Contains("calibrated already"), ManifestError);
  Calibration foreign = c;
  foreign.note.encoder_sha256 = std::string(64, '0');
  CHECK_THROWS_WITH_AS(fold_calibration(raw, foreign, folder.path("foreign")),
                       doctest::Contains("another graph"), ManifestError);
}

}  // namespace
}  // namespace jackdaw::testing
