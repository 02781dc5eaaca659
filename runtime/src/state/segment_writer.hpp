// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes one journal segment. No thread, no retry: after any error the segment is over and the
// caller goes on in a new one.
//
//   SegmentWriter segment(files, folder, {generation, first_sequence, identity}, bytes);
//   IoError error = segment.create();
//   error = segment.add(...);        // records taken over from an older segment, if any
//   error = segment.commit();        // from here on the segment exists, with those records
//   error = segment.add({sequence, pending, kind, payload});
//   error = segment.sync();          // now the record is durable
//
// A segment replaces everything from its first sequence on in older segments. So its header is
// written last: a crash before leaves the older segment in force.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/journal_format.hpp"

namespace jackdaw::state {

class SegmentWriter {
 public:
  SegmentWriter(FileSystem& files, std::string folder, const JournalHeader& header,
                std::uint64_t bytes);

  // Both remove the file if they fail.
  IoError create();
  IoError commit();
  // False when the record belongs in a next segment. A first record always fits.
  bool fits(std::size_t payload_bytes) const noexcept;
  IoError add(const JournalRecord& record);
  IoError sync();
  // Takes the file away; for a segment that holds nothing acknowledged.
  void remove() noexcept;

  const JournalHeader& header() const noexcept { return header_; }
  const std::string& path() const noexcept { return path_; }
  std::uint64_t bytes() const noexcept { return position_ + staged_; }

 private:
  IoError write_staged();

  FileSystem& files_;
  std::string folder_;
  JournalHeader header_;
  std::string path_;
  std::uint64_t limit_;
  std::unique_ptr<File> file_;
  std::vector<std::byte> staging_;
  std::size_t staged_ = 0;
  std::uint64_t position_ = kJournalHeaderBytes;
};

}  // namespace jackdaw::state
