// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "trt/module_encoder.hpp"

#include <utility>
#include <vector>

#include "jackdaw/log.hpp"
#include "trt/engine_file.hpp"

namespace jackdaw::trt {
namespace {

jackdaw_trt_frame to_c(const FrameView& frame) noexcept {
  jackdaw_trt_frame out{};
  out.format = static_cast<std::uint32_t>(frame.format);
  out.memory = static_cast<std::uint32_t>(frame.memory);
  out.width = frame.width;
  out.height = frame.height;
  out.data = frame.data;
  out.stride = frame.stride;
  out.colour = frame.colour;
  out.colour_stride = frame.colour_stride;
  return out;
}

class ModuleEncoder final : public Encoder {
 public:
  ModuleEncoder(const TrtModule& module, Manifest manifest, const EngineRequest& request)
      : functions_(module.functions()), manifest_(std::move(manifest)) {
    const TrtDevice device = module.device();
    const EngineKey key = make_key(request, module, device.id);
    const std::string path = engine_path(request, key);
    const std::vector<std::byte> plan = load_engine(path, to_text(key));

    frames_.resize(manifest_.max_batch);
    backend_ = "TensorRT " + module.tensorrt_version() + ", " + to_text(request.precision) + ", " +
               device.id.name;

    jackdaw_trt_open open{};
    open.graph = {request.input_name.c_str(),
                  request.output_name.c_str(),
                  request.channels,
                  request.height,
                  request.width,
                  request.output_size};
    open.plan = plan.data();
    open.plan_bytes = plan.size();
    open.colour = static_cast<std::uint32_t>(manifest_.colour);
    open.mean = manifest_.mean.data();
    open.deviation = manifest_.deviation.data();
    jackdaw_trt_message message{};
    // Last: from here on nothing may throw except this very failure, which leaves nothing open.
    if (functions_.open(&open, &encoder_, &message) != JACKDAW_TRT_OK) {
      throw EncoderError("engine " + path + ": " + message.text);
    }
  }
  ~ModuleEncoder() override { functions_.close(encoder_); }

  const Manifest& manifest() const noexcept override { return manifest_; }
  std::string backend() const override { return backend_; }

  Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept override {
    if (frames.size() > frames_.size() ||
        embeddings.size() != frames.size() * manifest_.output_size) {
      return Status::kWrongSize;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (check(frames[i]) != Status::kOk) return Status::kBadFrame;
      frames_[i] = to_c(frames[i]);
    }
    if (frames.empty()) return Status::kOk;
    jackdaw_trt_message message{};
    return status_of(
        functions_.encode(encoder_, frames_.data(), frames.size(), embeddings.data(), &message),
        message);
  }

  bool on_device() const noexcept override { return true; }

  Status encode_on_device(const FrameView& frame, DeviceEmbedding& embedding) noexcept override {
    if (check(frame) != Status::kOk) return Status::kBadFrame;
    const jackdaw_trt_frame given = to_c(frame);
    jackdaw_trt_embedding made{};
    jackdaw_trt_message message{};
    const int code = functions_.encode_on_device(encoder_, &given, &made, &message);
    if (code == JACKDAW_TRT_OK) embedding = {made.data, manifest_.output_size, made.ready};
    return status_of(code, message);
  }

  bool times(EncodeTimes& times) noexcept override {
    jackdaw_trt_times found{};
    jackdaw_trt_message message{};
    if (functions_.times(encoder_, &found, &message) != JACKDAW_TRT_OK) return false;
    times = {found.preprocess, found.encode};
    return true;
  }

 private:
  static Status status_of(int code, const jackdaw_trt_message& message) noexcept {
    if (code == JACKDAW_TRT_OK) return Status::kOk;
    if (code == JACKDAW_TRT_BAD_FRAME) return Status::kBadFrame;
    try {
      log(LogLevel::kError, std::string("the TensorRT encoder failed: ") + message.text);
    } catch (...) {  // no memory for the message
    }
    return Status::kEncoderFailed;
  }

  const jackdaw_trt_functions& functions_;
  Manifest manifest_;
  std::string backend_;
  std::vector<jackdaw_trt_frame> frames_;  // room for the largest batch
  jackdaw_trt_encoder* encoder_ = nullptr;
};

}  // namespace

std::unique_ptr<Encoder> open_trt_encoder(const TrtModule& module, const Manifest& manifest,
                                          const EngineRequest& request) {
  return std::make_unique<ModuleEncoder>(module, manifest, request);
}

}  // namespace jackdaw::trt
