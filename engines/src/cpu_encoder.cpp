// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cpu_encoder.hpp"

#include <algorithm>
#include <cmath>

#include "jackdaw/log.hpp"

namespace jackdaw {

Status CpuEncoder::encode(Span<const FrameView> frames, Span<float> embeddings) noexcept try {
  if (frames.size() > manifest_.max_batch ||
      embeddings.size() != frames.size() * manifest_.output_size) {
    return Status::kWrongSize;
  }
  times_ = {};
  for (const FrameView& frame : frames) {
    if (const Status status = check(frame); status != Status::kOk) return status;
  }
  if (frames.empty()) return Status::kOk;
  return encode_checked(frames, embeddings);
} catch (const std::exception& error) {
  return fail(error.what());
}

bool CpuEncoder::times(EncodeTimes& times) noexcept {
  times = times_;
  return true;
}

Status CpuEncoder::hand_out(Span<const float> values, Span<float> embeddings) const noexcept {
  if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
    return fail("its output holds NaN or infinity");
  }
  std::copy(values.begin(), values.end(), embeddings.begin());
  return Status::kOk;
}

void CpuEncoder::took(Clock::time_point begun, Clock::time_point prepared) noexcept {
  times_.preprocess += std::chrono::duration<double>(prepared - begun).count();
  times_.encode += std::chrono::duration<double>(Clock::now() - prepared).count();
}

Status CpuEncoder::fail(const char* why) const noexcept {
  try {
    log(LogLevel::kError, "the encoder " + manifest_.name + " failed: " + why);
  } catch (const std::exception&) {  // no memory for the text; the status says enough
  }
  return Status::kEncoderFailed;
}

std::string threads_text(std::uint32_t threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace jackdaw
