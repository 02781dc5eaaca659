// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Makes a small encoder for the tests of the command line:
//   make_encoder FOLDER NUMBERS [CALIBRATED_ON]
// Its embedding is some random projections of the picture at 8x8.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>

#include "engines/tiny_encoder.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    jackdaw::testing::TinyEncoder tiny;
    jackdaw::Manifest& m = tiny.manifest;
    m.name = std::filesystem::path(argv[1]).filename().string();
    m.width = m.height = 8;
    m.mean = m.deviation = {0.5F, 0.5F, 0.5F};
    m.output_size = static_cast<std::uint32_t>(std::atoi(argv[2]));
    std::mt19937 random(1);
    for (std::size_t i = 0; i < std::size_t{m.output_size} * 3 * 64; ++i) {
      tiny.weights.push_back(static_cast<float>(random() % 2001) / 1000.0F - 1.0F);
    }
    if (argc > 3) {
      m.calibration = jackdaw::CalibrationNote{};
      m.calibration->pictures = argv[3];
      m.calibration->count = 10;
      m.calibration->dimensions = m.output_size;
      m.calibration->encoder_sha256 = std::string(64, '0');
    }
    tiny.write(argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
