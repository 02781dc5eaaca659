// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// OpenCV and ONNX Runtime on 1,000 real pictures: the same embeddings, but for rounding.
#include <cmath>

#include "engines/real_pictures.hpp"
#include "jackdaw/engines/picture_folder.hpp"
#include "support/data.hpp"

namespace jackdaw::testing {
namespace {

double cosine(const float* a, const float* b, std::size_t size) {
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    ab += double{a[i]} * double{b[i]};
    aa += double{a[i]} * double{a[i]};
    bb += double{b[i]} * double{b[i]};
  }
  return ab / std::sqrt(aa * bb);
}

void check_agreement(const std::string& name, const char* data) {
  constexpr std::size_t kPictures = 1000;
  const auto manifest = ready_encoder(name);
  const auto folder = data_folder(data);
  if (!manifest || !folder) return;
  const auto ort = open_or_skip(*manifest, EncoderBackend::kOnnxRuntime);
  const auto opencv = open_or_skip(*manifest, EncoderBackend::kOpenCv);
  if (!ort || !opencv) return;
  const auto all = list_pictures((*folder / "test").string());
  auto files = every_nth(all, all.size() / kPictures);
  files.resize(kPictures);
  const auto a = encode_files(*ort, files), b = encode_files(*opencv, files);
  double least = 1.0;
  const std::size_t d = manifest->output_size;
  for (std::size_t i = 0; i < kPictures; ++i) {
    least = std::min(least, cosine(a.data() + i * d, b.data() + i * d, d));
  }
  MESSAGE(name << ": least cosine of " << kPictures << " pictures of " << std::string(data)
               << ": 1 - " << 1.0 - least);
  CHECK(least >= 0.9999);
}

}  // namespace

TEST_SUITE("slow") {
  TEST_CASE("efficientnet-lite0 is the same on OpenCV and ONNX Runtime") {
    check_agreement("efficientnet-lite0", "cifar10");
  }
  TEST_CASE("resnet50-augnet is the same on OpenCV and ONNX Runtime") {
    check_agreement("resnet50-augnet", "cifar10");
  }
  TEST_CASE("vae-omniglot is the same on OpenCV and ONNX Runtime") {
    check_agreement("vae-omniglot", "mnist");
  }
}

}  // namespace jackdaw::testing
