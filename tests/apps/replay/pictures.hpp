// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small picture files, and an encoder that counts what it is asked.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw::testing {

// One grey value, 4x4.
inline void write_picture(const std::string& path, int grey) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << "P5 4 4 255\n"
                                        << std::string(16, static_cast<char>(grey));
}

// CLASSES classes of EACH pictures in both splits; every file is different.
inline void write_picture_folders(const std::string& root, int classes, int each) {
  int grey = 1;
  for (const char* split : {"train", "test"}) {
    for (int c = 0; c < classes; ++c) {
      for (int i = 0; i < each; ++i) {
        write_picture(
            root + "/" + split + "/class" + std::to_string(c) + "/" + std::to_string(i) + ".pgm",
            grey++);
      }
    }
  }
}

// embedding = (first pixel, 1)
class CountingEncoder final : public Encoder {
 public:
  CountingEncoder() {
    manifest_.name = "counting";
    manifest_.graph_sha256 = std::string(64, '0');
    manifest_.output_size = 2;
    manifest_.max_batch = 4;
  }

  const Manifest& manifest() const noexcept override { return manifest_; }
  std::string backend() const override { return "opencv of a test"; }
  Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept override {
    if (encoded >= fail_after) return Status::kEncoderFailed;
    for (const FrameView& frame : frames) {
      if (std::to_integer<int>(frame.data[0]) == fails_on) return Status::kEncoderFailed;
    }
    encoded += frames.size();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const int grey = std::to_integer<int>(frames[i].data[0]);
      embeddings[2 * i] = grey == zero_on ? 0.0F : static_cast<float>(grey);
      embeddings[2 * i + 1] = grey == zero_on ? 0.0F : 1.0F;
    }
    return Status::kOk;
  }

  std::size_t encoded = 0;
  std::size_t fail_after = 1000000;
  int fails_on = -1, zero_on = -1;  // grey values

 private:
  Manifest manifest_;
};

}  // namespace jackdaw::testing
