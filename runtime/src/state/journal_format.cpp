// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/journal_format.hpp"

#include <array>
#include <cstring>

#include "state/bytes.hpp"
#include "state/crc32c.hpp"

namespace jackdaw::state {
namespace {

constexpr char kMagic[] = "JKDWJRNL";
constexpr std::size_t kCheckedHeader = 64;

std::uint32_t record_crc(std::uint64_t generation, Span<const std::byte> after_crc) noexcept {
  std::array<std::byte, 8> seed{};
  ByteWriter(seed).u64(generation);
  return crc32c(after_crc, crc32c(seed));
}

}  // namespace

void encode_header(const JournalHeader& header, Span<std::byte> out) noexcept {
  ByteWriter writer(out);
  for (std::size_t i = 0; i < 8; ++i) writer.u8(static_cast<std::uint8_t>(kMagic[i]));
  writer.u32(kJournalVersion);
  writer.u32(crc32c(out.first(12)));
  writer.u64(header.generation);
  writer.u64(header.first_sequence);
  for (const std::uint8_t byte : header.identity) writer.u8(byte);
  writer.u32(crc32c(out.first(kCheckedHeader)));
  writer.zeros(kJournalHeaderBytes - writer.written());
}

HeaderState decode_header(Span<const std::byte> in, JournalHeader& out) noexcept {
  if (in.size() < 16 || std::memcmp(in.data(), kMagic, 8) != 0) return HeaderState::kBroken;
  ByteReader reader(in.subspan(8));
  const std::uint32_t version = reader.u32();
  if (reader.u32() != crc32c(in.first(12))) return HeaderState::kBroken;
  if (version > kJournalVersion) return HeaderState::kNewer;
  if (version == 0 || in.size() < kJournalHeaderBytes) return HeaderState::kBroken;
  out.generation = reader.u64();
  out.first_sequence = reader.u64();
  for (std::uint8_t& byte : out.identity) byte = reader.u8();
  if (reader.u32() != crc32c(in.first(kCheckedHeader))) return HeaderState::kBroken;
  if (!all_zero(in.subspan(kCheckedHeader + 4, kJournalHeaderBytes - kCheckedHeader - 4))) {
    return HeaderState::kBroken;
  }
  const bool possible = out.first_sequence >= 1 && out.first_sequence <= kMostSequence;
  return possible ? HeaderState::kGood : HeaderState::kBroken;
}

std::size_t encode_record(std::uint64_t generation, const JournalRecord& record,
                          Span<std::byte> out) noexcept {
  const std::size_t bytes = record_bytes(record.payload.size());
  ByteWriter writer(out);
  writer.u32(0);
  writer.u32(static_cast<std::uint32_t>(record.payload.size()));
  writer.u64(record.sequence);
  writer.u32(record.pending);
  writer.u8(record.kind);
  writer.zeros(3);
  writer.bytes(record.payload);
  writer.zeros(bytes - writer.written());
  ByteWriter(out).u32(record_crc(generation, out.subspan(4, bytes - 4)));
  return bytes;
}

std::size_t plausible_record(Span<const std::byte> in) noexcept {
  if (in.size() < kRecordHeaderBytes) return 0;
  ByteReader reader(in.subspan(4));
  const std::uint32_t payload_bytes = reader.u32();
  const std::uint64_t sequence = reader.u64();
  const std::uint32_t pending = reader.u32();
  if (payload_bytes > kMostPayloadBytes) return 0;
  if (sequence == 0 || sequence > kMostSequence) return 0;
  if (pending == 0 || pending > sequence) return 0;
  if (!all_zero(in.subspan(21, 3))) return 0;
  return record_bytes(payload_bytes);
}

bool decode_record(std::uint64_t generation, Span<const std::byte> in,
                   JournalRecord& out) noexcept {
  ByteReader reader(in);
  const std::uint32_t crc = reader.u32();
  const std::uint32_t payload_bytes = reader.u32();
  if (kRecordHeaderBytes + payload_bytes > in.size()) return false;
  if (crc != record_crc(generation, in.subspan(4))) return false;
  out.sequence = reader.u64();
  out.pending = reader.u32();
  out.kind = reader.u8();
  out.payload = in.subspan(kRecordHeaderBytes, payload_bytes);
  return true;
}

}  // namespace jackdaw::state
