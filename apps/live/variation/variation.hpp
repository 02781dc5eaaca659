// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a taught frame might have looked like: a part of it, before another background. Taught
// together with the frame itself, variations let the learner know an object again where it was
// never shown. The light is left as it is: encoders see through it, and with lessons in every light
// things that were never taught pass more easily for one that was (docs/results.md).
//
//   const Variations variations(VariationOptions{});  // one of each frame
//   SmallFrame small, varied;                         // 77 kB each; keep them
//   status = shrink(frame, small);                    // the frame's region of interest, once
//   for (std::uint32_t i = 0; i < variations.count(); ++i) {  // at once or later
//     status = variations.make(small, frame_number, i, varied);
//     status = pipeline.answer(varied.view(), answer, times);  // to encode it
//     status = pipeline.teach(label, times);
//   }
//
// Variation i of frame number f is always the same picture for a seed, on every machine. Nothing is
// allocated. Any number of threads may use one object.

#include <cstdint>

#include "live/variation/small_frame.hpp"

namespace jackdaw::live {

struct VariationOptions {
  std::uint32_t count = 1;  // of each taught frame; 0: none. More gain little: docs/results.md
  std::uint64_t seed = 0;
};

class Variations {
 public:
  explicit Variations(const VariationOptions& options) noexcept : options_(options) {}

  std::uint32_t count() const noexcept { return options_.count; }

  // Any i will do, also above count(). kBadFrame if the frame has no pixels or more than fit;
  // `varied` may not be `frame`.
  Status make(const SmallFrame& frame, std::uint64_t frame_number, std::uint32_t i,
              SmallFrame& varied) const noexcept;

 private:
  VariationOptions options_;
};

}  // namespace jackdaw::live
