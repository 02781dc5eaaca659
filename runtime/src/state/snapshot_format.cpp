// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/snapshot_format.hpp"

#include <algorithm>
#include <cstring>

#include "state/bytes.hpp"
#include "state/crc32c.hpp"
#include "state/file_names.hpp"
#include "state/journal_format.hpp"

namespace jackdaw::state {
namespace {

constexpr char kMagic[] = "JKDWSNAP";

}  // namespace

void encode_head(const SnapshotHeader& header, Span<const SnapshotSection> sections,
                 Span<std::byte> out) noexcept {
  ByteWriter writer(out);
  for (std::size_t i = 0; i < 8; ++i) writer.u8(static_cast<std::uint8_t>(kMagic[i]));
  writer.u32(kSnapshotVersion);
  writer.u32(crc32c(out.first(12)));
  writer.u64(header.generation);
  writer.u64(header.mark);
  writer.u64(header.file_bytes);
  writer.u32(static_cast<std::uint32_t>(sections.size()));
  writer.u32(0);
  for (const std::uint8_t byte : header.identity) writer.u8(byte);
  for (const SnapshotSection& section : sections) {
    writer.u32(section.id.type);
    writer.u32(section.id.id);
    writer.u64(section.mark);
    writer.u64(section.offset);
    writer.u64(section.bytes);
    writer.u32(section.crc);
    writer.u32(0);
  }
  writer.u32(crc32c(out.first(writer.written())));
}

std::string decode_snapshot_header(Span<const std::byte> in, std::uint64_t file_bytes,
                                   SnapshotHeader& out, bool& newer) {
  newer = false;
  if (in.size() < 16) return "it is too short";
  if (std::memcmp(in.data(), kMagic, 8) != 0) return "it does not begin like a snapshot";
  ByteReader reader(in.subspan(8));
  const std::uint32_t version = reader.u32();
  if (reader.u32() != crc32c(in.first(12))) return "its first bytes are damaged";
  if (version > kSnapshotVersion) {
    newer = true;
    return "it has format version " + std::to_string(version) + ", this program reads up to " +
           std::to_string(kSnapshotVersion);
  }
  if (version == 0) return "it has format version 0";
  if (in.size() < kSnapshotHeaderBytes) return "it is too short";
  out.generation = reader.u64();
  out.mark = reader.u64();
  out.file_bytes = reader.u64();
  out.section_count = reader.u32();
  const std::uint32_t zero = reader.u32();
  for (std::uint8_t& byte : out.identity) byte = reader.u8();
  if (zero != 0) return "its header is damaged";
  if (out.generation == 0 || out.generation > kMostGeneration)
    return "its generation is impossible";
  if (out.mark > kMostSequence) return "its sequence number is impossible";
  if (out.section_count > kMostSections) return "its number of sections is impossible";
  if (out.file_bytes != file_bytes) return "its size is not the one that its header gives";
  if (snapshot_head_bytes(out.section_count) > file_bytes) return "it is too short for its table";
  return {};
}

std::string decode_table(Span<const std::byte> head, const SnapshotHeader& header,
                         std::vector<SnapshotSection>& out) {
  const std::size_t head_bytes = snapshot_head_bytes(header.section_count);
  if (head.size() != head_bytes) return "it is too short for its table";
  if (ByteReader(head.subspan(head_bytes - 4)).u32() != crc32c(head.first(head_bytes - 4))) {
    return "the checksum of its header does not hold";
  }
  out.clear();
  out.reserve(header.section_count);
  std::vector<SectionId> ids;
  ids.reserve(header.section_count);
  ByteReader reader(head.subspan(kSnapshotHeaderBytes));
  std::uint64_t end = head_bytes;
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    SnapshotSection section;
    section.id.type = reader.u32();
    section.id.id = reader.u32();
    section.mark = reader.u64();
    section.offset = reader.u64();
    section.bytes = reader.u64();
    section.crc = reader.u32();
    if (reader.u32() != 0) return "its table is damaged";
    if (section.mark < header.mark || section.mark > kMostSequence) {
      return "a section's sequence number is impossible";
    }
    if (section.offset != align_section(end)) return "its sections have holes or overlap";
    if (section.offset > header.file_bytes || section.bytes > header.file_bytes - section.offset) {
      return "a section is larger than the file";
    }
    end = section.offset + section.bytes;
    out.push_back(section);
    ids.push_back(section.id);
  }
  if (end != header.file_bytes) return "it is longer than its sections";
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) return "a section occurs twice";
  return {};
}

}  // namespace jackdaw::state
