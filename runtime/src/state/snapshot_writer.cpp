// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/snapshot_writer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "state/crc32c.hpp"
#include "state/file_names.hpp"
#include "state/snapshot_reader.hpp"

namespace jackdaw::state {

SnapshotWriter::SnapshotWriter(FileSystem& files, std::string folder, std::uint64_t generation,
                               const Hash256& identity, std::uint64_t mark,
                               std::size_t section_count)
    : files_(files),
      folder_(std::move(folder)),
      section_count_(section_count),
      end_(snapshot_head_bytes(section_count)),
      newest_mark_(mark) {
  header_.generation = generation;
  header_.mark = mark;
  header_.identity = identity;
  sections_.reserve(section_count);
}

SnapshotWriter::~SnapshotWriter() {
  if (!created_ || renamed_) return;
  file_.reset();
  // If this fails too, the next start removes it.
  const IoError ignored = files_.remove(join(folder_, partial_name(header_.generation)));
  static_cast<void>(ignored);
}

IoError SnapshotWriter::begin() {
  if (section_count_ > kMostSections) return {EOVERFLOW};
  if (const IoError error = files_.create(join(folder_, partial_name(header_.generation)), file_)) {
    return error;
  }
  created_ = true;
  return {};
}

IoError SnapshotWriter::add(SectionId id, std::uint64_t mark, Span<const std::byte> content) {
  if (sections_.size() == section_count_ || mark < header_.mark) return {EINVAL};
  const std::uint64_t offset = align_section(end_);
  if (offset > end_) {
    // Written rather than left as a hole, so that the file's size and blocks are what they say.
    const std::array<std::byte, kSectionAlignment> zeros{};
    const auto gap = Span<const std::byte>(zeros).first(static_cast<std::size_t>(offset - end_));
    if (const IoError error = file_->write_at(end_, gap)) return error;
  }
  if (const IoError error = file_->write_at(offset, content)) return error;
  sections_.push_back({id, mark, offset, content.size(), crc32c(content)});
  end_ = offset + content.size();
  newest_mark_ = std::max(newest_mark_, mark);
  return {};
}

IoError SnapshotWriter::finish() {
  if (sections_.size() != section_count_) return {EINVAL};
  header_.file_bytes = end_;
  std::vector<std::byte> head(snapshot_head_bytes(section_count_));
  encode_head(header_, sections_, head);
  if (const IoError error = file_->write_at(0, head)) return error;
  return file_->sync();
}

std::string SnapshotWriter::verify() const {
  SnapshotReader reader;
  const std::string path = join(folder_, partial_name(header_.generation));
  const SnapshotState state = reader.open(files_, path, header_.generation);
  return state == SnapshotState::kGood ? std::string() : "read back, " + reader.reason();
}

IoError SnapshotWriter::publish() {
  file_.reset();
  if (const IoError error = files_.rename(join(folder_, partial_name(header_.generation)),
                                          join(folder_, snapshot_name(header_.generation)))) {
    return error;
  }
  renamed_ = true;
  return files_.sync_folder(folder_);
}

}  // namespace jackdaw::state
