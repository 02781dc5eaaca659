// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of a journal segment, version 1. All numbers little-endian.
//
//   header   0  "JKDWJRNL"       8  u32 version        12  u32 CRC of bytes 0..11
//           16  u64 generation  24  u64 first sequence 32  identity, 32 bytes
//           64  u32 CRC of bytes 0..63, then zeros to 512
//   record   0  u32 CRC of the generation (u64) and of bytes 4.. of the padded record
//            4  u32 payload bytes  8  u64 sequence  16  u32 pending  20  u8 kind  21  three zeros
//           24  payload, then zeros to a multiple of 8
//
// - Bytes 0..15 mean the same in every version, so a newer version is told from a broken file.
// - Records start after the first 512 bytes: the header's sector is never written again.
// - The CRC covers the generation, so that a record of another file that shows up in this file's
//   preallocated space never passes.
// - pending = sequence minus the last sequence that was durable when the record was written. A
// valid
//   record therefore proves that everything up to (sequence - pending) had reached the disk: that
//   tells a torn tail (never acknowledged) from corruption of something acknowledged.

#include <cstddef>
#include <cstdint>

#include "jackdaw/span.hpp"
#include "state/persistent.hpp"

namespace jackdaw::state {

constexpr std::uint32_t kJournalVersion = 1;
constexpr std::size_t kJournalHeaderBytes = 512;
constexpr std::size_t kRecordHeaderBytes = 24;
constexpr std::size_t kRecordAlignment = 8;
constexpr std::size_t kMostPayloadBytes = std::size_t{64} * 1024;
constexpr std::uint64_t kMostSequence = std::uint64_t{1} << 62U;

struct JournalHeader {
  std::uint64_t generation = 0;
  std::uint64_t first_sequence = 1;
  Hash256 identity{};
};

struct JournalRecord {
  std::uint64_t sequence = 0;
  std::uint32_t pending = 1;
  std::uint8_t kind = 0;
  Span<const std::byte> payload;
};

enum class HeaderState { kGood, kBroken, kNewer };

// Size on disk; payload_bytes must not exceed kMostPayloadBytes.
constexpr std::size_t record_bytes(std::size_t payload_bytes) noexcept {
  return (kRecordHeaderBytes + payload_bytes + kRecordAlignment - 1) / kRecordAlignment *
         kRecordAlignment;
}

// out: at least kJournalHeaderBytes.
void encode_header(const JournalHeader& header, Span<std::byte> out) noexcept;
HeaderState decode_header(Span<const std::byte> in, JournalHeader& out) noexcept;

// out: at least record_bytes(payload). Returns the bytes used.
std::size_t encode_record(std::uint64_t generation, const JournalRecord& record,
                          Span<std::byte> out) noexcept;

// The size on disk of the record that in begins with, as far as its first kRecordHeaderBytes can
// tell; 0 when they cannot be the beginning of a record.
std::size_t plausible_record(Span<const std::byte> in) noexcept;
// in: exactly plausible_record() bytes. False when the checksum does not hold.
bool decode_record(std::uint64_t generation, Span<const std::byte> in, JournalRecord& out) noexcept;

}  // namespace jackdaw::state
