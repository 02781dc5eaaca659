// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/journal_reader.hpp"

#include <algorithm>

#include "state/bytes.hpp"

namespace jackdaw::state {

static_assert(record_bytes(kMostPayloadBytes) <= ReadWindow::kBytes);

JournalReader::JournalReader(File& file, std::uint64_t generation)
    : file_(file), generation_(generation) {
  std::uint64_t bytes = 0;
  error_ = file_.size(bytes);
  if (error_) {
    done_ = true;
    return;
  }
  window_ = std::make_unique<ReadWindow>(file_, bytes);
  Span<const std::byte> head;
  error_ = window_->at(0, kJournalHeaderBytes, head);
  if (error_) {
    done_ = true;
    return;
  }
  header_state_ = decode_header(head, header_);
  if (header_state_ == HeaderState::kGood && header_.generation != generation_) {
    header_state_ = HeaderState::kBroken;
  }
  if (header_state_ != HeaderState::kGood) {
    // Without a header nothing can be replayed, but its records show whether anything was lost.
    done_ = true;
    if (header_state_ == HeaderState::kBroken) examine_rest();
    return;
  }
  expected_ = header_.first_sequence;
  known_durable_ = header_.first_sequence - 1;
  proven_durable_ = known_durable_;
}

bool JournalReader::read_record(std::uint64_t offset, JournalRecord& record) {
  Span<const std::byte> bytes;
  error_ = window_->at(offset, kRecordHeaderBytes, bytes);
  if (error_) return false;
  const std::size_t size = plausible_record(bytes);
  if (size == 0 || size > window_->file_bytes() - offset) return false;
  error_ = window_->at(offset, size, bytes);
  if (error_ || bytes.size() != size) return false;
  return decode_record(generation_, bytes, record);
}

bool JournalReader::take(const JournalRecord& record) noexcept {
  position_ += record_bytes(record.payload.size());
  highest_seen_ = std::max(highest_seen_, record.sequence);
  known_durable_ = std::max(known_durable_, record.sequence - record.pending);
  proven_durable_ = std::max(proven_durable_, known_durable_);
  expected_ = record.sequence + 1;
  return true;
}

bool JournalReader::next(JournalRecord& record) {
  if (done_) return false;
  if (read_record(position_, record) && record.sequence == expected_) return take(record);
  if (!error_ && expected_ < start_at_ && step_over_damage(record)) return take(record);
  done_ = true;
  if (!error_) examine_rest();
  return false;
}

// Finds the next record, if it is one that continues what the caller has.
bool JournalReader::step_over_damage(JournalRecord& record) {
  for (std::uint64_t at = position_; at < window_->file_bytes(); at += kRecordAlignment) {
    const bool valid = read_record(at, record);
    if (error_) return false;
    if (!valid || record.sequence < expected_) continue;
    if (record.sequence > start_at_) return false;
    position_ = at;
    return true;
  }
  return false;
}

void JournalReader::examine_rest() {
  end_ = JournalEnd::kClean;
  for (std::uint64_t offset = position_; offset < window_->file_bytes();) {
    Span<const std::byte> word;
    error_ = window_->at(offset, kRecordAlignment, word);
    if (error_) return;
    if (!all_zero(word) && end_ == JournalEnd::kClean) end_ = JournalEnd::kTorn;
    // A record may begin with zeros only where its CRC is 0; the other fields never are.
    JournalRecord record;
    const bool valid = read_record(offset, record);
    if (error_) return;
    if (!valid) {
      offset += kRecordAlignment;
      continue;
    }
    highest_seen_ = std::max(highest_seen_, record.sequence);
    proven_durable_ = std::max(proven_durable_, record.sequence - record.pending);
    if (proven_durable_ >= expected_) end_ = JournalEnd::kCorrupt;
    offset += record_bytes(record.payload.size());
  }
}

}  // namespace jackdaw::state
