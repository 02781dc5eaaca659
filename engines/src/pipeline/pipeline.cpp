// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace jackdaw {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) noexcept {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

Pipeline::Pipeline(Encoder& encoder, Learner& learner, std::uint32_t context)
    : encoder_(encoder),
      learner_(learner),
      context_(context),
      on_device_(encoder.on_device() && learner.ensemble().on_device()),
      embedding_(on_device_ ? 0 : encoder.manifest().output_size) {
  const LearnerSettings& settings = learner.settings();
  const Manifest& manifest = encoder.manifest();
  if (settings.ensemble.dimensions != manifest.output_size) {
    throw SettingsError("the encoder " + manifest.name + " gives " +
                        std::to_string(manifest.output_size) + " numbers, the learner takes " +
                        std::to_string(settings.ensemble.dimensions) +
                        "; give the encoder that the state was learned with");
  }
  if (!settings.encoder.empty() && settings.encoder != encoder_hash(manifest)) {
    throw SettingsError("the learner's state belongs to another encoder than " + manifest.name +
                        "; give the encoder that it was learned with");
  }
  if (context >= settings.ensemble.contexts) {
    throw SettingsError("context " + std::to_string(context) + " is asked for, the learner has " +
                        std::to_string(settings.ensemble.contexts));
  }
}

Status Pipeline::answer(const FrameView& frame, Answer& answer, StageTimes& times) noexcept {
  encoded_ = false;
  times.preprocess = times.encode = times.answer = 0.0;
  return on_device_ ? answer_on_device(frame, answer, times) : answer_on_host(frame, answer, times);
}

Status Pipeline::answer_on_host(const FrameView& frame, Answer& answer,
                                StageTimes& times) noexcept {
  const Clock::time_point start = Clock::now();
  const Status encoded = encoder_.encode({&frame, 1}, embedding_);
  const Clock::time_point embedded = Clock::now();
  EncodeTimes stages;
  if (encoder_.times(stages)) times.preprocess = stages.preprocess;
  times.encode =
      std::max(0.0, std::chrono::duration<double>(embedded - start).count() - times.preprocess);
  if (encoded != Status::kOk) return encoded;
  encoded_ = true;
  const Status status = learner_.predict(embedding_, answer, context_);
  times.answer = seconds_since(embedded);
  return status;
}

Status Pipeline::answer_on_device(const FrameView& frame, Answer& answer,
                                  StageTimes& times) noexcept {
  const Clock::time_point start = Clock::now();
  Status status = encoder_.encode_on_device(frame, embedding_on_device_);
  if (status != Status::kOk) return status;
  encoded_ = true;
  status = learner_.predict_on_device(embedding_on_device_, answer, context_);
  const double all = seconds_since(start);
  // Has waited already if there is an answer; if not, it does now: the frame is the caller's again.
  EncodeTimes stages;
  if (encoder_.times(stages)) {
    times.preprocess = stages.preprocess;
    times.encode = stages.encode;
  }
  times.answer = std::max(0.0, all - times.preprocess - times.encode);
  return status;
}

Status Pipeline::teach(std::string_view label, StageTimes& times) noexcept {
  if (!encoded_) return Status::kBadFrame;
  const Clock::time_point start = Clock::now();
  const Status status = on_device_ ? learner_.teach_on_device(embedding_on_device_, label)
                                   : learner_.teach(embedding_, label);
  times.teach = seconds_since(start);
  return status;
}

Span<const float> Pipeline::embedding() const noexcept {
  return encoded_ && !on_device_ ? Span<const float>(embedding_) : Span<const float>();
}

}  // namespace jackdaw
