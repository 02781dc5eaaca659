// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reads a snapshot. open() checks everything, every checksum and every gap, before it gives
// anything out; read() checks the section's checksum once more.
//
//   SnapshotReader snapshot;
//   if (snapshot.open(files, path, generation) != SnapshotState::kGood) log(snapshot.reason());
//   buffer.resize(snapshot.sections()[i].bytes);        // not larger than the file
//   if (snapshot.read(i, buffer) != SnapshotState::kGood) ...

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/snapshot_format.hpp"

namespace jackdaw::state {

enum class SnapshotState {
  kGood,
  kBroken,      // damaged or unreadable; reason() says how
  kNewer,       // written by a newer version of this program; not to be touched
  kUnreadable,  // the disk reported an error
};

class SnapshotReader {
 public:
  SnapshotState open(FileSystem& files, const std::string& path, std::uint64_t generation);

  const std::string& reason() const noexcept { return reason_; }
  const SnapshotHeader& header() const noexcept { return header_; }
  const std::vector<SnapshotSection>& sections() const noexcept { return sections_; }
  std::uint64_t newest_mark() const noexcept { return newest_mark_; }

  // out: exactly the section's bytes. reason() says what was wrong if the answer is not kGood.
  SnapshotState read(std::size_t section, Span<std::byte> out);

 private:
  std::unique_ptr<File> file_;
  SnapshotHeader header_;
  std::vector<SnapshotSection> sections_;
  std::string reason_ = "it was not opened";
  std::uint64_t newest_mark_ = 0;
};

}  // namespace jackdaw::state
