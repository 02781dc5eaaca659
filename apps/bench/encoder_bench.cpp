// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Pictures a second of every encoder in the cache, from pixels to embedding. ONNX Runtime's figures
// beside them: tests/bench/encoders.py.
#include <random>

#include "bench/bench.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"

namespace jackdaw::bench {

std::vector<Result> encoder_bench(const BenchOptions& options) {
  constexpr std::uint32_t kWidth = 640, kHeight = 480;
  std::vector<std::byte> pixels(std::size_t{kWidth} * kHeight * 3);
  std::mt19937 random(1);
  for (std::byte& b : pixels) b = static_cast<std::byte>(random());
  const FrameView frame{PixelFormat::kBgr, kWidth, kHeight, pixels.data(), kWidth * 3};
  std::vector<Result> results;
  for (const ListedEncoder& listed : list_encoders()) {
    if (!listed.fault.empty()) continue;
    const auto encoder = make_encoder(listed.manifest, {EncoderBackend::kOpenCv, options.threads});
    std::vector<float> embedding(listed.manifest.output_size);
    std::vector<Timed> timed{{"", [&] {
                                static_cast<void>(encoder->encode({&frame, 1}, embedding));
                              }}};
    measure(timed, options.repetitions);
    Result r;
    r.name = listed.name + ", one picture of 640x480";
    r.ours_us = timed[0].seconds * 1e6;
    r.note = std::to_string(static_cast<int>(1.0 / timed[0].seconds)) + " pictures a second, " +
             encoder->backend();
    results.push_back(r);
  }
  return results;
}

}  // namespace jackdaw::bench
