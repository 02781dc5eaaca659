// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/engine_build.hpp"
#include "jackdaw/log.hpp"
#include "opencv/opencv_encoder.hpp"
#include "ort/ort_encoder.hpp"
#include "trt/engine_file.hpp"
#include "trt/module_encoder.hpp"
#include "views/two_view_encoder.hpp"

namespace jackdaw {
namespace {

// From the cache; an engine that is missing, stale or damaged is built, which takes minutes.
std::unique_ptr<Encoder> make_trt_encoder(const Manifest& manifest) {
  const trt::TrtModule& module = trt::load_trt_module();
  module.device();
  const trt::EngineRequest request = trt::make_request(manifest, cache_folder() + "/engines");
  try {
    return trt::open_trt_encoder(module, manifest, request);
  } catch (const trt::EngineFileError& error) {
    log(LogLevel::kInfo, std::string("building the TensorRT engine of ") + manifest.name +
                             ", which takes minutes: " + error.what());
  }
  build_engine(manifest, {}, [](double, const std::string&) { return true; });
  return trt::open_trt_encoder(module, manifest, request);
}

}  // namespace

Status Encoder::encode_on_device(const FrameView&, DeviceEmbedding&) noexcept {
  return Status::kEncoderFailed;
}

bool Encoder::times(EncodeTimes&) noexcept { return false; }

std::unique_ptr<Encoder> make_encoder(const Manifest& manifest, const EncoderOptions& options) {
  if (manifest.views == 2) {
    Manifest once = manifest;
    once.views = 1;
    return look_twice(manifest, make_encoder(once, options));
  }
  switch (options.backend) {
    case EncoderBackend::kTensorRt:
      return make_trt_encoder(manifest);
    case EncoderBackend::kOnnxRuntime:
      return make_ort_encoder(manifest, options.threads);
    case EncoderBackend::kOpenCv:
      return make_opencv_encoder(manifest, options.threads);
    case EncoderBackend::kAuto:
      break;
  }
  std::string why;
  std::unique_ptr<Encoder> encoder;
  try {
    encoder = make_trt_encoder(manifest);
  } catch (const EncoderError& error) {
    why = error.what();
  }
  if (!encoder) {
    try {
      encoder = make_ort_encoder(manifest, options.threads);
    } catch (const EncoderError& error) {
      why += std::string("; ") + error.what();
      encoder = make_opencv_encoder(manifest, options.threads);
    }
  }
  log(LogLevel::kInfo, "the encoder " + manifest.name + " runs on " + encoder->backend() +
                           (why.empty() ? "" : ": " + why));
  return encoder;
}

}  // namespace jackdaw
