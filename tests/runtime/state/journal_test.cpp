// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "simulated_disk.hpp"
#include "state/crc32c.hpp"
#include "state/file_names.hpp"
#include "state/journal_reader.hpp"
#include "state/record_ring.hpp"
#include "state/segment_writer.hpp"
#include "toy.hpp"

namespace jackdaw::state::test {
namespace {

constexpr std::uint64_t kGeneration = 9;

// Records of 10 bytes; each group is one sync.
Bytes segment_of(const std::vector<int>& groups, std::uint64_t generation = kGeneration,
                 std::uint64_t first = 1) {
  SimulatedDisk disk;
  SegmentWriter writer(disk, "f", {generation, first, Toy().identity()}, 4096);
  REQUIRE_FALSE(writer.create());
  REQUIRE_FALSE(writer.commit());
  std::uint64_t sequence = first;
  for (const int count : groups) {
    const std::uint64_t durable = sequence - 1;
    for (int i = 0; i < count; ++i, ++sequence) {
      std::array<std::byte, 10> payload{};
      payload.fill(static_cast<std::byte>(sequence));
      const auto pending = static_cast<std::uint32_t>(sequence - durable);
      REQUIRE_FALSE(writer.add({sequence, pending, 3, payload}));
    }
    REQUIRE_FALSE(writer.sync());
  }
  return disk.files().begin()->second;
}

constexpr std::size_t kRecord = record_bytes(10);

struct Seen {
  std::uint64_t count = 0;
  std::uint64_t durable = 0;
  JournalEnd end = JournalEnd::kClean;
  HeaderState header = HeaderState::kBroken;
};

Seen read(const Bytes& bytes, std::uint64_t start_at = 0) {
  SimulatedDisk disk;
  disk.put("f/x", bytes);
  std::unique_ptr<File> file;
  REQUIRE_FALSE(disk.open("f/x", file));
  JournalReader reader(*file, kGeneration);
  reader.start_at(start_at);
  Seen seen;
  for (JournalRecord record; reader.next(record); ++seen.count) {
    REQUIRE(record.payload.size() == 10);
    REQUIRE(record.payload[9] == static_cast<std::byte>(record.sequence));
  }
  REQUIRE_FALSE(reader.error());
  seen.durable = reader.known_durable();
  seen.end = reader.end();
  seen.header = reader.header_state();
  return seen;
}

}  // namespace

TEST_CASE("state: a journal reads back, and knows what was durable") {
  const Seen seen = read(segment_of({2, 3}));
  CHECK(seen.header == HeaderState::kGood);
  CHECK(seen.count == 5);
  CHECK(seen.durable == 2);
  CHECK(seen.end == JournalEnd::kClean);
}

TEST_CASE("state: an unfinished group is a torn tail, damage before it is corruption") {
  const Bytes good = segment_of({2, 3});
  const auto at = [](std::size_t record) { return kJournalHeaderBytes + record * kRecord; };
  Bytes bytes = good;
  bytes[at(3) + 30] ^= std::byte{1};  // record 4, in the last group: 5 is whole, but proves nothing
  CHECK(read(bytes).count == 3);
  CHECK(read(bytes).end == JournalEnd::kTorn);
  bytes = good;
  bytes[at(1) + 30] ^= std::byte{1};  // record 2: records 3 to 5 were written when it was durable
  CHECK(read(bytes).count == 1);
  CHECK(read(bytes).end == JournalEnd::kCorrupt);
  CHECK(read(bytes, 3).count == 4);  // who needs only 3 and later gets them
  CHECK(read(bytes, 2).count == 1);
  bytes = good;
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at(1)),
            bytes.begin() + static_cast<std::ptrdiff_t>(at(2)), std::byte{0});
  CHECK(read(bytes).end == JournalEnd::kCorrupt);
}

TEST_CASE("state: a record of another file never passes, whatever its number") {
  Bytes bytes = segment_of({1});
  const Bytes stale = segment_of({1, 1, 1}, kGeneration - 1);
  // As if preallocated space had held an older segment: its record 2 follows our record 1.
  std::copy(stale.begin() + kJournalHeaderBytes + kRecord, stale.end(),
            bytes.begin() + kJournalHeaderBytes + kRecord);
  const Seen seen = read(bytes);
  CHECK(seen.count == 1);
  CHECK(seen.end == JournalEnd::kTorn);
  CHECK(read(stale).header == HeaderState::kBroken);  // its name says another generation
}

TEST_CASE("state: a length beyond the file is not followed") {
  Bytes bytes = segment_of({1});
  for (const std::uint32_t length : {4096U, 65536U, 65537U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    ByteWriter(Span<std::byte>(bytes).subspan(kJournalHeaderBytes + 4)).u32(length);
    CHECK(read(bytes).count == 0);
  }
}

TEST_CASE("state: the ring gives back what it was given, and refuses what does not fit") {
  RecordRing ring(256);
  std::uint64_t pushed = 0;
  std::uint64_t read_back = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> payload(mix(pushed) % 120, static_cast<std::byte>(pushed));
    while (ring.push(static_cast<std::uint8_t>(pushed), payload)) {
      ++pushed;
      payload.assign(mix(pushed) % 120, static_cast<std::byte>(pushed));
    }
    REQUIRE(pushed > read_back);
    RecordRing::Cursor cursor = ring.oldest();
    const std::uint64_t take = 1 + mix(static_cast<std::uint64_t>(round)) % (pushed - read_back);
    for (std::uint64_t i = 0; i < take; ++i, ++read_back) {
      const RecordRing::Item item = ring.read(cursor);
      REQUIRE(item.kind == static_cast<std::uint8_t>(read_back));
      REQUIRE(item.payload.size() == mix(read_back) % 120);
      for (const std::byte b : item.payload) REQUIRE(b == static_cast<std::byte>(read_back));
    }
    ring.release(cursor);
  }
  // A record of almost the whole ring fits once it is empty, wherever the ring stands.
  ring.release({ring.oldest().position + ring.used()});
  const std::vector<std::byte> large(248);
  CHECK(ring.push(1, large));
  CHECK_FALSE(ring.can_hold(249));
  CHECK_FALSE(ring.push(1, Span<const std::byte>()));
}

TEST_CASE("state: a newer journal is refused and stays as it is") {
  SimulatedDisk disk;
  Bytes bytes = segment_of({2});
  bytes[8] = std::byte{2};
  ByteWriter(Span<std::byte>(bytes).subspan(12))
      .u32(crc32c(Span<const std::byte>(bytes).first(12)));
  disk.put("state/" + journal_name(kGeneration), bytes);
  const Files before = disk.files();
  Toy toy;
  try {
    const StateFolder state(disk, "state", toy);
    FAIL("it was opened");
  } catch (const StateError& error) {
    CHECK(std::string(error.what()).find("newer version") != std::string::npos);
  }
  CHECK(disk.files() == before);
}

}  // namespace jackdaw::state::test
