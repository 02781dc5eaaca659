// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/bursts.hpp"

#include <algorithm>

namespace jackdaw::live {

BurstRecord& Bursts::begin(std::uint32_t slot) {
  while (bursts_.size() >= kMost) {
    // One that taught nothing goes first.
    const auto empty = std::find_if(bursts_.begin(), bursts_.end(),
                                    [](const BurstRecord& burst) { return burst.lessons == 0; });
    bursts_.erase(empty == bursts_.end() ? bursts_.begin() : empty);
  }
  BurstRecord burst;
  burst.id = next_id_++;
  burst.slot = slot;
  bursts_.push_back(std::move(burst));
  return bursts_.back();
}

BurstRecord* Bursts::find(std::uint64_t id) {
  for (BurstRecord& burst : bursts_) {
    if (burst.id == id) return &burst;
  }
  return nullptr;
}

BurstRecord* Bursts::newest() {
  for (auto burst = bursts_.rbegin(); burst != bursts_.rend(); ++burst) {
    if (burst->lessons > 0) return &*burst;
  }
  return nullptr;
}

void Bursts::add_lesson(BurstRecord& burst, std::uint64_t sequence) {
  ++burst.lessons;
  if (!burst.ranges.empty() && burst.ranges.back().last + 1 == sequence) {
    burst.ranges.back().last = sequence;
  } else {
    burst.ranges.push_back({sequence, sequence});
  }
}

void Bursts::remove(std::uint64_t id) {
  bursts_.erase(std::remove_if(bursts_.begin(), bursts_.end(),
                               [&](const BurstRecord& burst) { return burst.id == id; }),
                bursts_.end());
}

void Bursts::remove_slot(std::uint32_t slot) {
  bursts_.erase(std::remove_if(bursts_.begin(), bursts_.end(),
                               [&](const BurstRecord& burst) { return burst.slot == slot; }),
                bursts_.end());
}

void Bursts::clear() { bursts_.clear(); }

void Bursts::drop_pending() {
  for (BurstRecord& burst : bursts_) burst.pending = 0;
}

void Bursts::recover(const std::vector<RecentExample>& recent,
                     const std::vector<ClassInfo>& classes, std::uint32_t lessons_a_picture) {
  clear();
  const ClassInfo* of = nullptr;
  for (const RecentExample& example : recent) {
    if (of == nullptr || of->label != example.label) {
      const auto found = std::find_if(classes.begin(), classes.end(), [&](const ClassInfo& info) {
        return info.label == example.label;
      });
      if (found == classes.end()) continue;
      of = &*found;
      begin(of->slot);
    }
    add_lesson(bursts_.back(), example.sequence);
  }
  for (BurstRecord& burst : bursts_) {
    burst.frames = (burst.lessons + lessons_a_picture - 1) / lessons_a_picture;
  }
}

}  // namespace jackdaw::live
