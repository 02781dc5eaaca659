// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "views/two_view_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cpu_encoder.hpp"
#include "views/mirrored_middle.hpp"

namespace jackdaw {
namespace {

// Adds values/|values|, in double and in order: the same bits on every machine.
void add_direction(Span<const float> values, Span<float> sum) {
  double squares = 0.0;
  for (const float value : values) squares += double{value} * double{value};
  const double length = std::sqrt(squares);
  if (!(length > 0.0)) return;  // no direction; the other view decides
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum[i] += static_cast<float>(0.5 * double{values[i]} / length);
  }
}

class TwoViewEncoder final : public CpuEncoder {
 public:
  TwoViewEncoder(const Manifest& manifest, std::unique_ptr<Encoder> encoder)
      : CpuEncoder(manifest),
        encoder_(std::move(encoder)),
        mirrored_(manifest.max_batch),
        views_(manifest.max_batch),
        values_(std::size_t{manifest.max_batch} * manifest.output_size),
        sums_(values_.size()) {}

  std::string backend() const override { return encoder_->backend() + ", two views"; }

 private:
  Status encode_checked(Span<const FrameView> frames, Span<float> embeddings) override {
    const Clock::time_point begun = Clock::now();
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (frames[i].memory != FrameMemory::kHost) return Status::kBadFrame;
      mirror_middle(frames[i], mirrored_[i]);
      views_[i] = mirrored_[i].view;
    }
    const Clock::time_point prepared = Clock::now();
    const Span<float> sums = Span<float>(sums_).first(embeddings.size());
    std::fill(sums.begin(), sums.end(), 0.0F);
    if (const Status s = add(frames, sums); s != Status::kOk) return s;
    const Span<const FrameView> mirrored = Span<const FrameView>(views_).first(frames.size());
    if (const Status s = add(mirrored, sums); s != Status::kOk) return s;
    took(begun, prepared);
    return hand_out(sums, embeddings);
  }

  Status add(Span<const FrameView> frames, Span<float> sums) {
    const Span<float> values = Span<float>(values_).first(sums.size());
    if (const Status s = encoder_->encode(frames, values); s != Status::kOk) return s;
    const std::size_t size = manifest_.output_size;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      add_direction(values.subspan(i * size, size), sums.subspan(i * size, size));
    }
    return Status::kOk;
  }

  std::unique_ptr<Encoder> encoder_;
  std::vector<MirroredMiddle> mirrored_;
  std::vector<FrameView> views_;
  std::vector<float> values_, sums_;  // [batch][output_size]
};

}  // namespace

std::unique_ptr<Encoder> look_twice(const Manifest& manifest, std::unique_ptr<Encoder> encoder) {
  return std::make_unique<TwoViewEncoder>(manifest, std::move(encoder));
}

}  // namespace jackdaw
