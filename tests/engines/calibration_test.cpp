// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/calibration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <vector>

#include "files/whole_file.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::testing {
namespace {

using Rng = std::mt19937_64;

constexpr std::uint32_t kFeatures = 12;

// Features far from zero, of very unequal spread, that depend on each other.
std::vector<std::vector<float>> random_features(std::size_t count, Rng& rng) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> mix(kFeatures, std::vector<double>(kFeatures));
  for (auto& row : mix) {
    for (double& value : row) value = normal(rng);
  }
  std::vector<std::vector<float>> all;
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<double> source;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      source.push_back(normal(rng) * std::pow(2.0, -static_cast<double>(i)));
    }
    std::vector<float> x;
    for (std::size_t r = 0; r < kFeatures; ++r) {
      double sum = 50.0;
      for (std::size_t c = 0; c < kFeatures; ++c) sum += mix[r][c] * source[c];
      x.push_back(static_cast<float>(sum));
    }
    all.push_back(x);
  }
  return all;
}

std::vector<double> apply(const Calibration& c, const std::vector<float>& x) {
  std::vector<double> out;
  for (std::size_t d = 0; d < c.note.dimensions; ++d) {
    double sum = 0.0;
    for (std::size_t i = 0; i < c.features; ++i) {
      sum += static_cast<double>(to_float(c.projection[d * c.features + i])) *
             (static_cast<double>(x[i]) - static_cast<double>(c.mean[i]));
    }
    out.push_back(sum);
  }
  return out;
}

Calibration calibrate(const std::vector<std::vector<float>>& all, std::uint32_t dimensions,
                      double shrinkage) {
  CalibrationStatistics statistics(kFeatures);
  for (const auto& x : all) statistics.add(x);
  return statistics.finish(dimensions, shrinkage, "random", std::string(64, 'a'));
}

TEST_CASE("what comes out has mean 0, no correlation, and falling variances between shrunk and 1") {
  Rng rng(seed());
  const auto all = random_features(4000, rng);
  for (const double shrinkage : {0.001, 0.3, 1.0}) {
    CAPTURE(shrinkage);
    const Calibration c = calibrate(all, 6, shrinkage);
    std::vector<double> mean(6), square(36);
    for (const auto& x : all) {
      const auto z = apply(c, x);
      for (std::size_t i = 0; i < 6; ++i) {
        mean[i] += z[i] / 4000.0;
        for (std::size_t j = 0; j < 6; ++j) square[i * 6 + j] += z[i] * z[j] / 3999.0;
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(std::fabs(mean[i]) < 0.01);
      CHECK(square[i * 6 + i] > 0.0);
      if (i > 0) CHECK(square[i * 7] <= square[(i - 1) * 7] * 1.001);
      for (std::size_t j = 0; j < i; ++j) CHECK(std::fabs(square[i * 6 + j]) < 0.01);
    }
    if (shrinkage < 0.01) CHECK(square[0] == doctest::Approx(1.0).epsilon(0.01));
    if (shrinkage == 1.0) CHECK(square[0] > 2.0);  // only rotated and scaled
  }
}

TEST_CASE("the order of the pictures does not matter, and neither does a large offset") {
  Rng rng(seed());
  auto all = random_features(500, rng);
  const Calibration forward = calibrate(all, 5, 0.3);
  std::reverse(all.begin(), all.end());
  const Calibration backward = calibrate(all, 5, 0.3);
  for (std::size_t i = 0; i < kFeatures; ++i) {
    CHECK(forward.mean[i] == doctest::Approx(backward.mean[i]).epsilon(1e-6));
  }
  for (std::size_t i = 0; i < forward.projection.size(); ++i) {
    CHECK(to_float(forward.projection[i]) ==
          doctest::Approx(to_float(backward.projection[i])).epsilon(2e-3));
  }
}

TEST_CASE("too few pictures, too many dimensions and features that are all alike are refused") {
  Rng rng(seed());
  const auto all = random_features(10, rng);
  CHECK_THROWS_WITH_AS(calibrate(all, 6, 0.3), doctest::Contains("10 pictures are too few for 6"),
                       SettingsError);
  CHECK_THROWS_WITH_AS(calibrate(all, 13, 0.3), doctest::Contains("--dim is 13"), SettingsError);
  CHECK_THROWS_WITH_AS(calibrate(all, 2, 0.0), doctest::Contains("shrinkage is 0"), SettingsError);
  const std::vector<std::vector<float>> same(100, std::vector<float>(kFeatures, 3.0F));
  CHECK_THROWS_WITH_AS(calibrate(same, 2, 0.3), doctest::Contains("do not differ"), SettingsError);
}

TEST_CASE("a calibration is read as it was written; one that is cut or changed is refused") {
  Rng rng(seed());
  const TemporaryFolder folder;
  const std::string path = folder.path("calibration");
  const Calibration c = calibrate(random_features(200, rng), 5, 0.25);
  write_calibration(c, path);
  const Calibration again = read_calibration(path);
  CHECK(again.mean == c.mean);
  CHECK(again.features == c.features);
  CHECK(again.note.pictures == "random");
  CHECK(again.note.count == 200);
  CHECK(again.note.shrinkage == 0.25);
  CHECK(std::equal(again.projection.begin(), again.projection.end(), c.projection.begin(),
                   [](Half a, Half b) { return a.bits == b.bits; }));
  const std::string whole = read_whole_file(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write_whole_file(path, whole.substr(0, length));
    CHECK_THROWS_AS(read_calibration(path), ManifestError);
  }
  for (std::size_t i = whole.find('\n') + 1; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    write_whole_file(path, changed);
    CHECK_THROWS_AS(read_calibration(path), ManifestError);
  }
}

}  // namespace
}  // namespace jackdaw::testing
