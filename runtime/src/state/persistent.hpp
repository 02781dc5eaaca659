// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a state folder keeps. The learner implements it.
//
// The learner's contract, under one lock of its own:
//
//   teach:   lock; if (append() is not kOk) return; apply the record and remember its sequence
//            number as the last one; unlock. append() is the last step that may fail.
//   list:    lock; give the ids of all sections and the last sequence number; unlock.
//   copy:    lock; copy one section and give the last sequence number, its mark; unlock.
//   replay:  a record may touch several sections; its effect on a section whose mark is not smaller
//            than the record's sequence number is in that section already and is skipped. A section
//            that was not loaded has mark 0.
//
// Why that is enough although sections come and go while a snapshot is written: the list is fixed
// when the snapshot begins, at sequence number B, and replay starts at B + 1. A section that is
// made later is not in the snapshot; every record about it has a number above B and is replayed. A
// section that is removed before it is copied is stored empty with its mark ("gone"), so that
// records about it up to the mark, which are replayed too, are skipped. An id that is removed and
// used again is copied as it then is; the same mark covers it. A snapshot counts only once the
// journal up to its newest mark is durable, so all sections can be brought to the same record.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jackdaw/error.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw::state {

using Hash256 = std::array<std::uint8_t, 32>;

struct SectionId {
  std::uint32_t type = 0;
  std::uint32_t id = 0;
};

constexpr bool operator==(SectionId a, SectionId b) noexcept {
  return a.type == b.type && a.id == b.id;
}
constexpr bool operator<(SectionId a, SectionId b) noexcept {
  return a.type != b.type ? a.type < b.type : a.id < b.id;
}

struct SectionCopy {
  std::size_t bytes = 0;   // 0: there is no such section (any more)
  std::uint64_t mark = 0;  // the last sequence number whose effect the copy holds
};

// Content that makes sense but not for this learner (it has room for fewer classes, say). The
// folder is refused and left as it is, where broken content would be set aside.
struct DoesNotFit : StateError {
  using StateError::StateError;
};

class Persistent {
 public:
  virtual ~Persistent() = default;

  // Settings and encoder, as a hash. State of another identity is refused. Never changes.
  virtual Hash256 identity() const = 0;
  // The size of the buffer that every section fits when it is copied. Never changes.
  virtual std::size_t largest_section_bytes() const = 0;

  // Called from the snapshot thread, each for a moment; must not call into the state folder.
  virtual std::uint64_t list_sections(std::vector<SectionId>& out) = 0;
  virtual SectionCopy copy_section(SectionId section, Span<std::byte> out) = 0;

  // Called while a state folder is being opened, in this order: begin_load (back to the state of a
  // new object; again when a snapshot turns out to be unusable), load_section for each section of
  // the snapshot, replay for each record after it, end_load. An empty section is one that is gone.
  // load_section and replay throw StateError when the content makes no sense.
  virtual void begin_load() = 0;
  virtual void load_section(SectionId section, std::uint64_t mark,
                            Span<const std::byte> content) = 0;
  virtual void replay(std::uint64_t sequence, std::uint8_t kind, Span<const std::byte> payload) = 0;
  // last: the newest sequence number that was ever used; marks from now on are not smaller.
  virtual void end_load(std::uint64_t last) = 0;
};

}  // namespace jackdaw::state
