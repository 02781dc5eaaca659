// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Real encoders on real pictures: CIFAR-10, of each class the first 1,000 training and the first
// 200 test pictures by name, one pass. Class mean and SLDA must come out as they were measured with
// ONNX Runtime and NumPy, to two points.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/picture.hpp"
#include "jackdaw/engines/picture_folder.hpp"
#include "jackdaw/head.hpp"
#include "support/data.hpp"
#include "support/skip.hpp"

namespace jackdaw::testing {
namespace {

struct Expected {
  const char* encoder;
  double class_mean, slda;  // per cent
};
constexpr Expected kExpected[] = {{"efficientnet-lite0", 79.8, 84.3},
                                  {"resnet50-augnet", 45.5, 69.0}};

struct Embeddings {
  std::vector<float> values;
  std::vector<std::uint32_t> labels;
};

Embeddings encode(Encoder& encoder, const std::string& folder, std::size_t of_each) {
  std::vector<std::string> classes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    classes.push_back(entry.path().string());
  }
  std::sort(classes.begin(), classes.end());
  REQUIRE(classes.size() == 10);
  Embeddings out;
  Picture picture;
  std::vector<float> embedding(encoder.manifest().output_size);
  for (std::uint32_t label = 0; label < classes.size(); ++label) {
    std::vector<std::string> files = list_pictures(classes[label]);
    REQUIRE(files.size() >= of_each);
    files.resize(of_each);
    for (const std::string& file : files) {
      REQUIRE(read_picture(file, picture) == "");
      REQUIRE(encoder.encode({&picture.view, 1}, embedding) == Status::kOk);
      out.values.insert(out.values.end(), embedding.begin(), embedding.end());
      out.labels.push_back(label);
    }
  }
  return out;
}

double accuracy(HeadKind kind, const Embeddings& train, const Embeddings& test, std::uint32_t d) {
  HeadSettings settings;
  settings.dimensions = d;
  settings.max_classes = 10;
  settings.max_batch = 1;
  const auto head = make_head(kind, settings);
  for (std::size_t i = 0; i < train.labels.size(); ++i) {
    REQUIRE(head->teach({train.values.data() + i * d, d}, {&train.labels[i], 1}) == Status::kOk);
  }
  REQUIRE(head->refresh() == Status::kOk);
  std::size_t right = 0;
  std::vector<float> scores(10);
  for (std::size_t i = 0; i < test.labels.size(); ++i) {
    REQUIRE(head->predict({test.values.data() + i * d, d}, scores) == Status::kOk);
    const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
    if (static_cast<std::uint32_t>(best) == test.labels[i]) ++right;
  }
  return 100.0 * static_cast<double>(right) / static_cast<double>(test.labels.size());
}

TEST_CASE("class mean and SLDA on CIFAR-10 are what other programs measured") {
  const auto data = data_folder("cifar10");
  if (!data) {
    skip("JACKDAW_DATA has no cifar10");
    return;
  }
  std::size_t tried = 0;
  for (const Expected& expected : kExpected) {
    Manifest manifest;
    try {
      manifest = find_encoder(expected.encoder);
    } catch (const Error& error) {
      MESSAGE("left out: " << std::string(error.what()));
      continue;
    }
    ++tried;
    const auto encoder = make_encoder(manifest, {EncoderBackend::kOpenCv, 0});
    const Embeddings train = encode(*encoder, (*data / "train").string(), 1000);
    const Embeddings test = encode(*encoder, (*data / "test").string(), 200);
    const double mean = accuracy(HeadKind::kNearestMean, train, test, manifest.output_size);
    const double slda = accuracy(HeadKind::kSlda, train, test, manifest.output_size);
    MESSAGE(std::string(expected.encoder)
            << ": class mean " << mean << " % (expected " << expected.class_mean << "), SLDA "
            << slda << " % (expected " << expected.slda << ")");
    CHECK(mean == doctest::Approx(expected.class_mean).epsilon(2.0 / expected.class_mean));
    CHECK(slda == doctest::Approx(expected.slda).epsilon(2.0 / expected.slda));
  }
  if (tried == 0) skip("no encoder is in the cache: jackdaw engine get efficientnet-lite0");
}

}  // namespace
}  // namespace jackdaw::testing
