// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the encoders on the CPU have in common: nothing but pictures goes in, nothing but finite
// numbers comes out, and what is thrown on the way becomes a status and a line in the log.

#include <chrono>
#include <string>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {

class CpuEncoder : public Encoder {
 public:
  const Manifest& manifest() const noexcept final { return manifest_; }
  Status encode(Span<const FrameView> frames, Span<float> embeddings) noexcept final;
  bool times(EncodeTimes& times) noexcept final;

 protected:
  using Clock = std::chrono::steady_clock;

  explicit CpuEncoder(const Manifest& manifest) : manifest_(manifest) {}

  // At least one frame, at most max_batch; each is a picture, and there is room for each embedding.
  // May throw. Ends with took() and hand_out(), for each picture or for all.
  virtual Status encode_checked(Span<const FrameView> frames, Span<float> embeddings) = 0;

  // Copies numbers that are all finite; otherwise kEncoderFailed, and the embeddings are as before.
  Status hand_out(Span<const float> values, Span<float> embeddings) const noexcept;
  // One picture or batch was prepared from begun to prepared, and encoded from then until now.
  void took(Clock::time_point begun, Clock::time_point prepared) noexcept;

  const Manifest manifest_;

 private:
  Status fail(const char* why) const noexcept;

  EncodeTimes times_;
};

// "2 threads"
std::string threads_text(std::uint32_t threads);

}  // namespace jackdaw
