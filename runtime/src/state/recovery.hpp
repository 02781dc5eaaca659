// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Brings a Persistent back to its last state: the newest usable snapshot, then every record after
// it. Reads only; the folder is not changed.
//
//   Recovered found = recover(files, folder, learner);   // throws StateError
//
// How it decides:
// - A snapshot is usable when it is valid, the learner takes it, and the journal holds every record
//   from its beginning to its newest mark (sections are copied one after another, and only those
//   records bring them to one moment). Otherwise the one before is tried, and without any the empty
//   learner, if the journal still begins at record 1.
// - Segments follow each other by generation. A segment is read up to where the next one begins.
// - A record, a segment's header and a snapshot prove that numbers below them were durable. If such
//   a number is above the last record that could be replayed, acknowledged records are damaged or
//   missing. Then the state is the one before the damage and report.damaged is set.
// - State of another identity or of a newer version is refused.

#include <cstdint>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/journal_writer.hpp"
#include "state/persistent.hpp"

namespace jackdaw::state {

struct RecoveryReport {
  std::uint64_t snapshot_generation = 0;  // 0: there was none
  std::uint64_t snapshot_mark = 0;
  std::uint64_t last_sequence = 0;  // the last record whose effect is there
  std::uint64_t records_replayed = 0;
  bool damaged = false;            // acknowledged records could not be read
  std::vector<std::string> notes;  // what was found wrong, in plain words
};

struct Recovered {
  RecoveryReport report;
  std::uint64_t next_generation = 1;
  std::uint64_t highest_sequence = 0;  // ever used, as far as the files tell
  std::uint64_t known_durable = 0;     // what follows, up to last_sequence, may not be on the disk
  std::uint64_t tail_generation = 0;   // the segment with the last records; 0: none
  std::uint64_t bytes_replayed = 0;
  std::vector<SegmentRef> segments;           // oldest first
  std::vector<std::string> broken_snapshots;  // names; to be set aside
  std::vector<std::string> damaged_journals;  // names; to be set aside
  std::vector<std::string> leftovers;         // names; they hold nothing
};

Recovered recover(FileSystem& files, const std::string& folder, Persistent& learner);

}  // namespace jackdaw::state
