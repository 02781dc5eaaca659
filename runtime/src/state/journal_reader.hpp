// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads one journal segment from its beginning and stops at the first record that does not hold.
//
//   JournalReader reader(*file, generation_from_the_name);
//   if (reader.header_state() != HeaderState::kGood) ...
//   for (JournalRecord record; reader.next(record);) use(record);   // payload: until the next call
//   if (reader.error()) ...             // the disk could not be read: nothing is known
//   reader.end();                       // why it stopped
//
// No length in the file is trusted before it was compared with the file's size and the checksum of
// the record was found to hold.

#include <cstdint>
#include <memory>

#include "state/file_system.hpp"
#include "state/journal_format.hpp"
#include "state/read_window.hpp"

namespace jackdaw::state {

enum class JournalEnd {
  kClean,    // nothing but zeros, or nothing at all, follows the last record
  kTorn,     // an unfinished write follows; nothing in it was acknowledged
  kCorrupt,  // a record that had reached the disk is damaged: a later one proves it
};

class JournalReader {
 public:
  JournalReader(File& file, std::uint64_t generation);

  HeaderState header_state() const noexcept { return header_state_; }
  const JournalHeader& header() const noexcept { return header_; }

  // Records before this one are of no interest: damage among them is stepped over.
  void start_at(std::uint64_t sequence) noexcept { start_at_ = sequence; }

  bool next(JournalRecord& record);

  // Valid after next() has answered false.
  JournalEnd end() const noexcept { return end_; }
  IoError error() const noexcept { return error_; }

  // Of the records read so far: the last one, and the last one known to have been durable.
  std::uint64_t last() const noexcept { return expected_ - 1; }
  std::uint64_t known_durable() const noexcept { return known_durable_; }
  // After the end: the highest number of any valid record, also behind the damage; 0 for none.
  std::uint64_t highest_seen() const noexcept { return highest_seen_; }
  // After the end: the highest number that this file proves to have been durable, here or
  // elsewhere.
  std::uint64_t proven_durable() const noexcept { return proven_durable_; }
  // Bytes of the header and of the records read so far.
  std::uint64_t position() const noexcept { return position_; }

 private:
  bool read_record(std::uint64_t offset, JournalRecord& record);
  bool take(const JournalRecord& record) noexcept;
  bool step_over_damage(JournalRecord& record);
  void examine_rest();

  File& file_;
  std::uint64_t generation_;
  std::unique_ptr<ReadWindow> window_;
  JournalHeader header_;
  HeaderState header_state_ = HeaderState::kBroken;
  JournalEnd end_ = JournalEnd::kClean;
  IoError error_;
  bool done_ = false;
  std::uint64_t position_ = kJournalHeaderBytes;
  std::uint64_t expected_ = 1;
  std::uint64_t known_durable_ = 0;
  std::uint64_t highest_seen_ = 0;
  std::uint64_t proven_durable_ = 0;
  std::uint64_t start_at_ = 0;
};

}  // namespace jackdaw::state
