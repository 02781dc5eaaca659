// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/segment_writer.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include "state/file_names.hpp"

namespace jackdaw::state {
namespace {

bool not_supported(IoError error) noexcept {
  return error.code == EOPNOTSUPP || error.code == ENOSYS || error.code == EINVAL;
}

}  // namespace

SegmentWriter::SegmentWriter(FileSystem& files, std::string folder, const JournalHeader& header,
                             std::uint64_t bytes)
    : files_(files),
      folder_(std::move(folder)),
      header_(header),
      path_(join(folder_, journal_name(header.generation))),
      limit_(bytes),
      staging_(record_bytes(kMostPayloadBytes)) {}

IoError SegmentWriter::create() {
  if (const IoError error = files_.create(path_, file_)) return error;
  const IoError error = file_->preallocate(limit_);
  if (!error || not_supported(error)) return {};
  remove();
  return error;
}

IoError SegmentWriter::commit() {
  IoError error;
  if (staged_ != 0) error = write_staged();
  if (!error && position_ != kJournalHeaderBytes) error = file_->sync();
  if (!error) {
    std::array<std::byte, kJournalHeaderBytes> header{};
    encode_header(header_, header);
    error = file_->write_at(0, header);
  }
  if (!error) error = file_->sync();
  if (!error) error = files_.sync_folder(folder_);
  if (error) remove();
  return error;
}

bool SegmentWriter::fits(std::size_t payload_bytes) const noexcept {
  return bytes() == kJournalHeaderBytes || bytes() + record_bytes(payload_bytes) <= limit_;
}

IoError SegmentWriter::add(const JournalRecord& record) {
  if (record_bytes(record.payload.size()) > staging_.size() - staged_) {
    if (const IoError error = write_staged()) return error;
  }
  staged_ += encode_record(header_.generation, record, Span<std::byte>(staging_).subspan(staged_));
  return {};
}

IoError SegmentWriter::write_staged() {
  if (staged_ == 0) return {};
  const auto data = Span<const std::byte>(staging_).first(staged_);
  if (const IoError error = file_->write_at(position_, data)) return error;
  position_ += staged_;
  staged_ = 0;
  return {};
}

IoError SegmentWriter::sync() {
  if (const IoError error = write_staged()) return error;
  return file_->sync();
}

void SegmentWriter::remove() noexcept {
  file_.reset();
  // If this fails too, the file stays: a later segment with the same first sequence replaces it.
  const IoError ignored = files_.remove(path_);
  static_cast<void>(ignored);
}

}  // namespace jackdaw::state
