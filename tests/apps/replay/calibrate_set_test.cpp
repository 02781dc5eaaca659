// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/calibrate_set.hpp"

#include <doctest/doctest.h>

#include "jackdaw/error.hpp"
#include "support/seed.hpp"
#include "support/streams.hpp"

namespace jackdaw::replay {
namespace {

using testing::Rng;

// No multiple of what the loops take at once.
constexpr std::uint32_t kFeatures = 37, kDimensions = 5;

float number(Rng& rng) { return static_cast<float>(testing::between(rng, 0, 2000)) / 1000 - 1; }

Calibration some_calibration(Rng& rng) {
  Calibration c;
  c.features = kFeatures;
  c.note.dimensions = kDimensions;
  for (std::uint32_t i = 0; i < kFeatures; ++i) c.mean.push_back(number(rng));
  for (std::uint32_t i = 0; i < kFeatures * kDimensions; ++i) {
    c.projection.push_back(to_half(number(rng)));
  }
  return c;
}

EmbeddingSplit some_embeddings(std::size_t count, Rng& rng) {
  EmbeddingSplit split;
  for (std::size_t i = 0; i < count * kFeatures; ++i) split.embeddings.push_back(number(rng));
  for (std::uint32_t i = 0; i < count; ++i) split.labels.push_back(i % 2);
  return split;
}

void check_projected(const EmbeddingSplit& raw, const EmbeddingSplit& out, const Calibration& c) {
  REQUIRE(out.labels == raw.labels);
  REQUIRE(out.embeddings.size() == raw.labels.size() * kDimensions);
  for (std::size_t e = 0; e < raw.labels.size(); ++e) {
    for (std::size_t d = 0; d < kDimensions; ++d) {
      double expected = 0.0;
      for (std::size_t i = 0; i < kFeatures; ++i) {
        const double centred =
            static_cast<double>(raw.embeddings[e * kFeatures + i]) - static_cast<double>(c.mean[i]);
        expected += static_cast<double>(to_float(c.projection[d * kFeatures + i])) * centred;
      }
      // 38 roundings of sums below 40, half a unit of 2^-24 each: at most 5e-5
      CHECK(static_cast<double>(out.embeddings[e * kDimensions + d]) ==
            doctest::Approx(expected).scale(1).epsilon(5e-5));
    }
  }
}

TEST_CASE("a calibrated set is the projection of the centred raw one, split by split") {
  Rng rng(testing::seed());
  const Calibration c = some_calibration(rng);
  EmbeddingSet raw;
  raw.data = "pictures";
  raw.encoder = "net";
  raw.dimensions = kFeatures;
  raw.classes = {"a", "b"};
  raw.train = some_embeddings(300, rng);  // more than are taken at once
  raw.test = some_embeddings(3, rng);
  const EmbeddingSet out = calibrate_set(raw, c, "net@other-5");
  CHECK(out.data == "pictures");
  CHECK(out.encoder == "net@other-5");
  CHECK(out.dimensions == kDimensions);
  CHECK(out.classes == raw.classes);
  check_projected(raw.train, out.train, c);
  check_projected(raw.test, out.test, c);
}

TEST_CASE("a calibration of another encoder is refused") {
  Rng rng(testing::seed());
  EmbeddingSet raw;
  raw.encoder = "net";
  raw.dimensions = kFeatures + 1;
  CHECK_THROWS_WITH_AS(calibrate_set(raw, some_calibration(rng), "net@other-5"),
                       doctest::Contains("takes 37 numbers, net gives 38"), SettingsError);
}

}  // namespace
}  // namespace jackdaw::replay
