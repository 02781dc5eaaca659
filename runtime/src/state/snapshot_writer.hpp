// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes a snapshot section by section. Nothing counts until publish() has returned without an
// error; until then the file has another name and is removed with the writer.
//
//   SnapshotWriter snapshot(files, folder, generation, identity, mark, section_count);
//   IoError error = snapshot.begin();
//   error = snapshot.add(id, section_mark, bytes);      // section_count times
//   error = snapshot.finish();                          // the header, then sync
//   std::string flaw = snapshot.verify();
//   error = snapshot.publish();                         // rename, then sync of the folder

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/snapshot_format.hpp"

namespace jackdaw::state {

class SnapshotWriter {
 public:
  // section_count must not exceed kMostSections.
  SnapshotWriter(FileSystem& files, std::string folder, std::uint64_t generation,
                 const Hash256& identity, std::uint64_t mark, std::size_t section_count);
  ~SnapshotWriter();
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  IoError begin();
  IoError add(SectionId id, std::uint64_t mark, Span<const std::byte> content);
  IoError finish();
  // Reads the finished file back; empty, or what is wrong with it.
  std::string verify() const;
  IoError publish();

  std::uint64_t bytes() const noexcept { return end_; }
  std::uint64_t newest_mark() const noexcept { return newest_mark_; }

 private:
  FileSystem& files_;
  std::string folder_;
  SnapshotHeader header_;
  std::size_t section_count_;
  std::vector<SnapshotSection> sections_;
  std::unique_ptr<File> file_;
  std::uint64_t end_;
  std::uint64_t newest_mark_;
  bool created_ = false;
  bool renamed_ = false;
};

}  // namespace jackdaw::state
