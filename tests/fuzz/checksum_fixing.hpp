// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts the checksums of a mutated file right again, so that fuzzing gets behind them: a file with a
// wrong one is refused at once.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "state/bytes.hpp"
#include "state/crc32c.hpp"
#include "state/journal_format.hpp"
#include "state/snapshot_format.hpp"

namespace jackdaw::state::test {

inline void fix_snapshot(Span<std::byte> all, std::uint64_t generation) {
  if (all.size() < kSnapshotHeaderBytes) return;
  ByteWriter(all.subspan(12)).u32(crc32c(all.first(12)));
  ByteWriter(all.subspan(16)).u64(generation);
  ByteWriter(all.subspan(32)).u64(all.size());
  const std::size_t count = ByteReader(all.subspan(40)).u32();
  if (count > kMostSections || snapshot_head_bytes(count) > all.size()) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto entry = all.subspan(kSnapshotHeaderBytes + i * kTableEntryBytes, kTableEntryBytes);
    ByteReader reader(entry.subspan(16));
    const std::uint64_t offset = reader.u64();
    const std::uint64_t bytes = reader.u64();
    if (offset > all.size() || bytes > all.size() - offset) continue;
    const auto section =
        all.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
    ByteWriter(entry.subspan(32)).u32(crc32c(section));
  }
  const std::size_t end = snapshot_head_bytes(count) - 4;
  ByteWriter(all.subspan(end)).u32(crc32c(all.first(end)));
}

// number_records: gives the records consecutive numbers too, so that chains of them come about.
inline void fix_journal(Span<std::byte> all, std::uint64_t generation, bool number_records) {
  if (all.size() < kJournalHeaderBytes) return;
  ByteWriter(all.subspan(12)).u32(crc32c(all.first(12)));
  ByteWriter(all.subspan(16)).u64(generation);
  ByteWriter(all.subspan(64)).u32(crc32c(all.first(64)));
  std::uint64_t sequence = ByteReader(all.subspan(24)).u64();
  for (std::size_t at = kJournalHeaderBytes; at + kRecordHeaderBytes <= all.size();) {
    const std::size_t size = plausible_record(all.subspan(at));
    if (size == 0 || size > all.size() - at) {
      at += kRecordAlignment;
      continue;
    }
    if (number_records) {
      const auto pending = ByteReader(all.subspan(at + 16)).u32();
      ByteWriter(all.subspan(at + 8)).u64(sequence);
      ByteWriter(all.subspan(at + 16))
          .u32(static_cast<std::uint32_t>(std::min<std::uint64_t>(pending, sequence)));
    }
    std::byte seed[8];
    ByteWriter(Span<std::byte>(seed)).u64(generation);
    const std::uint32_t crc =
        crc32c(all.subspan(at + 4, size - 4), crc32c(Span<const std::byte>(seed, 8)));
    ByteWriter(all.subspan(at)).u32(crc);
    ++sequence;
    at += size;
  }
}

}  // namespace jackdaw::state::test
