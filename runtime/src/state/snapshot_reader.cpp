// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/snapshot_reader.hpp"

#include <algorithm>

#include "state/bytes.hpp"
#include "state/crc32c.hpp"
#include "state/read_window.hpp"

namespace jackdaw::state {
namespace {

// Empty when the bytes from begin to end are there and their checksum is crc.
std::string check_section(ReadWindow& window, const SnapshotSection& section, IoError& error) {
  std::uint32_t crc = 0;
  for (std::uint64_t done = 0; done < section.bytes;) {
    Span<const std::byte> part;
    const auto want =
        static_cast<std::size_t>(std::min<std::uint64_t>(section.bytes - done, ReadWindow::kBytes));
    error = window.at(section.offset + done, want, part);
    if (error) return error.text();
    if (part.empty()) return "it ends too early";
    crc = crc32c(part, crc);
    done += part.size();
  }
  return crc == section.crc ? std::string() : "the checksum of a section does not hold";
}

}  // namespace

SnapshotState SnapshotReader::open(FileSystem& files, const std::string& path,
                                   std::uint64_t generation) {
  const auto unreadable = [&](IoError error) {
    reason_ = error.text();
    return SnapshotState::kUnreadable;
  };
  sections_.clear();
  if (const IoError error = files.open(path, file_)) return unreadable(error);
  std::uint64_t file_bytes = 0;
  if (const IoError error = file_->size(file_bytes)) return unreadable(error);

  ReadWindow window(*file_, file_bytes);
  Span<const std::byte> first;
  if (const IoError error = window.at(0, kSnapshotHeaderBytes, first)) return unreadable(error);
  bool newer = false;
  reason_ = decode_snapshot_header(first, file_bytes, header_, newer);
  if (!reason_.empty()) return newer ? SnapshotState::kNewer : SnapshotState::kBroken;

  std::vector<std::byte> head(snapshot_head_bytes(header_.section_count));
  std::size_t got = 0;
  if (const IoError error = file_->read_at(0, head, got)) return unreadable(error);
  reason_ = decode_table(Span<const std::byte>(head).first(got), header_, sections_);
  if (reason_.empty() && header_.generation != generation) {
    reason_ = "its generation is not the one in its name";
  }
  if (!reason_.empty()) return SnapshotState::kBroken;

  newest_mark_ = header_.mark;
  std::uint64_t end = head.size();
  for (const SnapshotSection& section : sections_) {
    Span<const std::byte> gap;
    const auto gap_bytes = static_cast<std::size_t>(section.offset - end);
    if (const IoError error = window.at(end, gap_bytes, gap)) return unreadable(error);
    IoError error;
    reason_ = gap.size() == gap_bytes && all_zero(gap) ? check_section(window, section, error)
                                                       : "a gap between sections is not empty";
    if (error) return SnapshotState::kUnreadable;
    if (!reason_.empty()) return SnapshotState::kBroken;
    end = section.offset + section.bytes;
    newest_mark_ = std::max(newest_mark_, section.mark);
  }
  return SnapshotState::kGood;
}

SnapshotState SnapshotReader::read(std::size_t section, Span<std::byte> out) {
  std::size_t got = 0;
  IoError error;
  if (section < sections_.size() && sections_[section].bytes == out.size()) {
    error = file_->read_at(sections_[section].offset, out, got);
    if (!error && got == out.size() && crc32c(out) == sections_[section].crc) {
      return SnapshotState::kGood;
    }
  }
  reason_ = error ? error.text() : "a section changed while it was being read";
  return error ? SnapshotState::kUnreadable : SnapshotState::kBroken;
}

}  // namespace jackdaw::state
