// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each hold of "teach" taught, by the numbers the learner gave its lessons, so that it can be
// taken back or moved as a whole. Variations of its pictures may be taught while the next burst has
// begun already: then it has several ranges of numbers.

#include <cstdint>
#include <deque>
#include <vector>

#include "jackdaw/learner.hpp"

namespace jackdaw::live {

struct LessonRange {
  std::uint64_t first = 0, last = 0;  // sequence numbers
};

struct BurstRecord {
  std::uint64_t id = 0;
  std::uint32_t slot = 0;
  std::uint32_t frames = 0, lessons = 0, pending = 0;
  std::vector<LessonRange> ranges;  // ascending

  std::uint64_t first() const { return ranges.empty() ? 0 : ranges.front().first; }
  std::uint64_t last() const { return ranges.empty() ? 0 : ranges.back().last; }
};

class Bursts {
 public:
  static constexpr std::size_t kMost = 20;  // older ones can no longer be undone as a whole

  BurstRecord& begin(std::uint32_t slot);
  BurstRecord* find(std::uint64_t id);
  BurstRecord* newest();  // that taught anything; nullptr: none
  void add_lesson(BurstRecord& burst, std::uint64_t sequence);
  void remove(std::uint64_t id);
  void remove_slot(std::uint32_t slot);  // a class is forgotten
  void clear();
  void drop_pending();  // no variation of any of them is waiting any longer
  // What the learner can still undo of an earlier start, one burst for each run of lessons of a
  // class; so many lessons come from one picture.
  void recover(const std::vector<RecentExample>& recent, const std::vector<ClassInfo>& classes,
               std::uint32_t lessons_a_picture);

  const std::deque<BurstRecord>& all() const { return bursts_; }  // oldest first

 private:
  std::deque<BurstRecord> bursts_;
  std::uint64_t next_id_ = 1;
};

}  // namespace jackdaw::live
