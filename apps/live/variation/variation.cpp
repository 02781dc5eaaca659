// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/variation/variation.hpp"

namespace jackdaw::live {

Status Variations::make(const SmallFrame& frame, std::uint64_t frame_number, std::uint32_t i,
                        SmallFrame& varied) const noexcept {
  (void)frame_number;
  (void)i;
  if (check(frame.view()) != Status::kOk) return Status::kBadFrame;
  varied = frame;
  return Status::kOk;
}

}  // namespace jackdaw::live
