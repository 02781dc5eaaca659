// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/pipeline.hpp"

#include <chrono>
#include <string>

namespace jackdaw {
namespace {

// Runs `work` and returns what it returned; `seconds` gets the time.
template <class Work>
Status timed(double& seconds, const Work& work) noexcept {
  const auto start = std::chrono::steady_clock::now();
  const Status status = work();
  seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return status;
}

}  // namespace

Pipeline::Pipeline(Encoder& encoder, Learner& learner, std::uint32_t context)
    : encoder_(encoder),
      learner_(learner),
      context_(context),
      embedding_(encoder.manifest().output_size) {
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
  const Status encoded = timed(times.encode, [&] {
    return encoder_.encode({&frame, 1}, embedding_);
  });
  encoded_ = encoded == Status::kOk;
  if (!encoded_) return encoded;
  return timed(times.answer, [&] { return learner_.predict(embedding_, answer, context_); });
}

Status Pipeline::teach(std::string_view label, StageTimes& times) noexcept {
  if (!encoded_) return Status::kBadFrame;
  return timed(times.teach, [&] { return learner_.teach(embedding_, label); });
}

Span<const float> Pipeline::embedding() const noexcept {
  return encoded_ ? Span<const float>(embedding_) : Span<const float>();
}

}  // namespace jackdaw
