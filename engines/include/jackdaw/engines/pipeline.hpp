// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The whole step: a frame goes in, an answer comes out. It owns the buffers between the stages, and
// says how long each stage took.
//
//   auto encoder = make_encoder(find_encoder("efficientnet-lite0@cifar100-256"));
//   Pipeline pipeline(*encoder, learner);          // throws SettingsError if they do not fit
//   Answer answer = learner.make_answer();
//   StageTimes times;
//   if (pipeline.answer(frame, answer, times) == Status::kOk) ...
//   pipeline.teach("mug", times);                  // the frame that was answered last
//
// Where the encoder and the learner's ensemble are both on the GPU the embedding stays there, and
// so does what is quantised of it, but for the bytes that the journal keeps of what is taught:
// nothing waits for the GPU before the answer does.
//
// For one thread. Several pipelines may share a learner, each with a context and an encoder of its
// own; nobody else uses that encoder meanwhile.

#include <cstdint>
#include <string_view>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/learner.hpp"

namespace jackdaw {

// Seconds. On the GPU preprocess and encode are measured there, between events, and answer is what
// is left of the time until the answer was there; so the three are the whole of answer() on any
// path.
struct StageTimes {
  double preprocess = 0.0;  // 0, if the encoder does not tell: then it is part of encode
  double encode = 0.0;
  double answer = 0.0;
  double teach = 0.0;
};

class Pipeline {
 public:
  // Both must outlive it. The learner's state must be of this encoder.
  Pipeline(Encoder& encoder, Learner& learner, std::uint32_t context = 0);

  Status answer(const FrameView& frame, Answer& answer, StageTimes& times) noexcept;
  // kBadFrame if no frame has been encoded yet, or the last could not be.
  Status teach(std::string_view label, StageTimes& times) noexcept;

  // Of the frame that was answered last; empty if there is none, or it stayed on the GPU.
  Span<const float> embedding() const noexcept;

  // Whether embeddings stay on the GPU.
  bool on_device() const noexcept { return on_device_; }

 private:
  Status answer_on_host(const FrameView& frame, Answer& answer, StageTimes& times) noexcept;
  Status answer_on_device(const FrameView& frame, Answer& answer, StageTimes& times) noexcept;

  Encoder& encoder_;
  Learner& learner_;
  std::uint32_t context_;
  bool on_device_;
  std::vector<float> embedding_;         // on the host's path
  DeviceEmbedding embedding_on_device_;  // on the GPU's
  bool encoded_ = false;
};

}  // namespace jackdaw
