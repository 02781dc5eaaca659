// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns pictures into embeddings. One encoder serves one thread at a time.
//
//   auto encoder = make_encoder(find_encoder("efficientnet-lite0"));     // throws EncoderError
//   std::vector<float> embedding(encoder->manifest().output_size);
//   if (encoder->encode({&frame, 1}, embedding) != Status::kOk) ...
//
// One that runs on a GPU can leave the embedding there (jackdaw/device_embedding.hpp).

#include <cstdint>
#include <memory>
#include <string>

#include "jackdaw/device_embedding.hpp"
#include "jackdaw/engines/frame.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"

namespace jackdaw {

// An encoder cannot be set up; the text says what to do next.
struct EncoderError : Error {
  using Error::Error;
};

struct EncodeTimes {  // seconds
  double preprocess = 0.0;
  double encode = 0.0;
};

class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual const Manifest& manifest() const noexcept = 0;
  virtual std::string backend() const = 0;  // for people: "opencv 4.6.0, 2 threads"

  // Any number of frames up to manifest().max_batch, of any size and format; embeddings:
  // output_size floats each. kBadFrame: one of them is not a picture; kWrongSize: too many frames,
  // or not that many floats; kEncoderFailed: the log says why.
  virtual Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept = 0;

  // Whether encode_on_device() works.
  virtual bool on_device() const noexcept { return false; }
  // As encode() of one frame, but the embedding stays in device memory until the next call, and the
  // frame must stay until it is ready.
  virtual Status encode_on_device(const FrameView& frame, DeviceEmbedding& embedding) noexcept;

  // How long the stages of the last call took, if the encoder knows: false, if not. After
  // encode_on_device() it waits until the embedding is ready.
  virtual bool times(EncodeTimes& times) noexcept;
};

enum class EncoderBackend : std::uint8_t {
  kAuto,      // the first that works of TensorRT, ONNX Runtime, OpenCV; the log says which and why
  kOpenCv,    // OpenCV DNN on the CPU
  kTensorRt,  // the module jackdaw-trt
  kOnnxRuntime,  // ONNX Runtime on the CPU; its library is opened at run time
};

struct EncoderOptions {
  EncoderBackend backend = EncoderBackend::kAuto;
  std::uint32_t threads = 0;  // on the CPU; 0: as many as there are cores
};

// Loads the graph and runs it once: a graph whose input or output differs from the manifest is an
// EncoderError that names both sizes.
std::unique_ptr<Encoder> make_encoder(const Manifest& manifest, const EncoderOptions& options = {});

}  // namespace jackdaw
