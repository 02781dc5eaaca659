// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The bytes of a snapshot, version 1. All numbers little-endian.
//
//   header   0  "JKDWSNAP"       8  u32 version        12  u32 CRC of bytes 0..11
//           16  u64 generation  24  u64 mark           32  u64 bytes of the whole file
//           40  u32 sections    44  u32 zero           48  identity, 32 bytes
//   table   80  per section: u32 type, u32 id, u64 mark, u64 offset, u64 bytes, u32 CRC, u32 zero
//           then u32 CRC of everything before
//   sections, each at the next multiple of 64; the gaps between are zeros; no gap at the end
//
// - Bytes 0..15 mean the same in every version, so a newer version is told from a broken file.
// - mark is the last sequence number before the snapshot began; each section's own mark is not
//   smaller. Replay starts after mark.
// - Offsets follow from the sizes, so there is one valid table for each list of sections: no holes,
//   no overlap. Ids do not repeat.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "jackdaw/span.hpp"
#include "state/persistent.hpp"

namespace jackdaw::state {

constexpr std::uint32_t kSnapshotVersion = 1;
constexpr std::size_t kSnapshotHeaderBytes = 80;
constexpr std::size_t kTableEntryBytes = 40;
constexpr std::size_t kSectionAlignment = 64;
constexpr std::size_t kMostSections = std::size_t{1} << 16U;

struct SnapshotSection {
  SectionId id;
  std::uint64_t mark = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
};

struct SnapshotHeader {
  std::uint64_t generation = 0;
  std::uint64_t mark = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t section_count = 0;
  Hash256 identity{};
};

// Header, table and checksum. sections must not exceed kMostSections.
constexpr std::size_t snapshot_head_bytes(std::size_t sections) noexcept {
  return kSnapshotHeaderBytes + sections * kTableEntryBytes + 4;
}

constexpr std::uint64_t align_section(std::uint64_t offset) noexcept {
  return (offset + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

// out: snapshot_head_bytes(sections.size()).
void encode_head(const SnapshotHeader& header, Span<const SnapshotSection> sections,
                 Span<std::byte> out) noexcept;

// Both answer an empty text, or what is wrong. decode_snapshot_header looks at the first
// kSnapshotHeaderBytes only and sets newer when they are of a version that this program is too old
// for; decode_table takes the whole head and checks all of it.
std::string decode_snapshot_header(Span<const std::byte> in, std::uint64_t file_bytes,
                                   SnapshotHeader& out, bool& newer);
std::string decode_table(Span<const std::byte> head, const SnapshotHeader& header,
                         std::vector<SnapshotSection>& out);

}  // namespace jackdaw::state
