// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Pictures a second of every encoder in the cache, from 640x480 pixels to embeddings: on OpenCV and
// on ONNX Runtime, in turn.
#include <algorithm>
#include <random>

#include "bench/bench.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::uint32_t kWidth = 640, kHeight = 480;

struct Candidate {
  std::unique_ptr<Encoder> encoder;  // null: it does not run here
  std::string name, why_not;
};

Candidate open(const Manifest& manifest, EncoderBackend backend, unsigned threads) {
  const char* name = backend == EncoderBackend::kOpenCv     ? "OpenCV"
                     : backend == EncoderBackend::kTensorRt ? "TensorRT"
                                                            : "ONNX Runtime";
  try {
    return {make_encoder(manifest, {backend, threads}), name, ""};
  } catch (const EncoderError& error) {
    return {nullptr, name, error.what()};
  }
}

Result compare(const Manifest& manifest, const std::vector<Candidate>& candidates,
               const FrameView& frame, std::size_t batch, int repetitions) {
  const std::vector<FrameView> frames(batch, frame);
  std::vector<float> embeddings(batch * manifest.output_size);
  std::vector<Timed> timed;
  Result result;
  const auto add_note = [&](const std::string& text) {
    result.note += (result.note.empty() ? "" : "; ") + text;
  };
  for (const Candidate& candidate : candidates) {
    if (candidate.encoder == nullptr) {
      add_note(candidate.name + " was not run: " + candidate.why_not);
      continue;
    }
    timed.push_back({candidate.name, [&, encoder = candidate.encoder.get()] {
                       static_cast<void>(encoder->encode(frames, embeddings));
                     }});
  }
  if (timed.empty()) return result;
  measure(timed, repetitions);
  result.name = manifest.name + ", batch of " + std::to_string(batch) + ", " + timed[0].name;
  result.ours_us = timed[0].seconds * 1e6;
  if (timed.size() > 1) {
    result.peer = timed[1].name;
    result.peer_us = timed[1].seconds * 1e6;
    result.ratio = result.peer_us / result.ours_us;
  }
  for (const Timed& t : timed) {
    const auto rate = static_cast<int>(static_cast<double>(batch) / t.seconds);
    add_note(t.name + " " + std::to_string(rate) + " pictures a second");
  }
  return result;
}

// A camera's picture, of noise.
struct NoisePicture {
  NoisePicture() : pixels(std::size_t{kWidth} * kHeight * 3) {
    std::mt19937 random(1);
    for (std::byte& b : pixels) b = static_cast<std::byte>(random());
  }
  FrameView view() const { return {PixelFormat::kBgr, kWidth, kHeight, pixels.data(), kWidth * 3}; }

  std::vector<std::byte> pixels;
};

std::vector<Candidate> open_all(const Manifest& manifest,
                                const std::vector<EncoderBackend>& backends, unsigned threads) {
  std::vector<Candidate> candidates;
  for (const EncoderBackend backend : backends) {
    candidates.push_back(open(manifest, backend, threads));
  }
  return candidates;
}

}  // namespace

Result encoder_speed(const Manifest& manifest, const std::vector<EncoderBackend>& backends,
                     std::size_t batch, const BenchOptions& options) {
  const NoisePicture picture;
  return compare(manifest, open_all(manifest, backends, options.threads), picture.view(), batch,
                 options.repetitions);
}

std::vector<Result> encoder_bench(const BenchOptions& options) {
  const NoisePicture picture;
  std::vector<Result> results;
  for (const ListedEncoder& listed : list_encoders()) {
    if (!listed.fault.empty()) continue;
    const std::vector<Candidate> candidates = open_all(
        listed.manifest, {EncoderBackend::kOpenCv, EncoderBackend::kOnnxRuntime}, options.threads);
    for (const std::size_t batch : {std::size_t{1}, std::size_t{8}}) {
      const auto taken = std::min<std::size_t>(batch, listed.manifest.max_batch);
      results.push_back(
          compare(listed.manifest, candidates, picture.view(), taken, options.repetitions));
    }
  }
  return results;
}

}  // namespace jackdaw::bench
