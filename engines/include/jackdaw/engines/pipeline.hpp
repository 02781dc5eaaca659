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
// For one thread. Several pipelines may share a learner, each with a context and an encoder of its
// own.

#include <cstdint>
#include <string_view>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/learner.hpp"

namespace jackdaw {

struct StageTimes {     // seconds
  double encode = 0.0;  // preprocessing included
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

  // Of the frame that was answered last; empty if there is none.
  Span<const float> embedding() const noexcept;

 private:
  Encoder& encoder_;
  Learner& learner_;
  std::uint32_t context_;
  std::vector<float> embedding_;
  bool encoded_ = false;
};

}  // namespace jackdaw
