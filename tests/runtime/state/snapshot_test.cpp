// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The snapshot container. The golden file of each version stays in data/ for ever; a new one is
// made with  JACKDAW_WRITE_GOLDEN=path state_test -tc="*golden*".

#include <doctest/doctest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "simulated_disk.hpp"
#include "state/bytes.hpp"
#include "state/crc32c.hpp"
#include "state/file_names.hpp"
#include "state/snapshot_reader.hpp"
#include "state/snapshot_writer.hpp"
#include "toy.hpp"

#ifndef JACKDAW_STATE_TEST_DATA
#define JACKDAW_STATE_TEST_DATA "tests/runtime/state/data"
#endif

namespace jackdaw::state::test {
namespace {

constexpr std::uint64_t kGeneration = 5;

Bytes text(const char* words) {
  Bytes out;
  for (; *words != '\0'; ++words) out.push_back(static_cast<std::byte>(*words));
  return out;
}

Bytes small_snapshot() {
  SimulatedDisk disk;
  Hash256 identity{};
  for (std::size_t i = 0; i < identity.size(); ++i) identity[i] = static_cast<std::uint8_t>(i * 7);
  SnapshotWriter writer(disk, "f", kGeneration, identity, 41, 4);
  REQUIRE_FALSE(writer.begin());
  REQUIRE_FALSE(writer.add({1, 0}, 41, text("keys")));
  REQUIRE_FALSE(writer.add(
      {2, 0}, 42, text("a class of seventy bytes, so that its end is not where the next begins")));
  REQUIRE_FALSE(writer.add({2, 1}, 44, {}));
  REQUIRE_FALSE(writer.add({2, 9}, 43, text("another")));
  REQUIRE_FALSE(writer.finish());
  REQUIRE(writer.verify().empty());
  REQUIRE_FALSE(writer.publish());
  return disk.files().at("f/" + snapshot_name(kGeneration));
}

SnapshotState open(const Bytes& bytes, SnapshotReader& reader) {
  SimulatedDisk disk;
  disk.put("f/x", bytes);
  return reader.open(disk, "f/x", kGeneration);
}

void check_small(SnapshotReader& reader) {
  CHECK(reader.header().generation == kGeneration);
  CHECK(reader.header().mark == 41);
  CHECK(reader.newest_mark() == 44);
  CHECK(reader.header().identity[31] == 217);
  REQUIRE(reader.sections().size() == 4);
  CHECK(reader.sections()[1].offset % 64 == 0);
  CHECK(reader.sections()[2].bytes == 0);
  CHECK(reader.sections()[3].id == SectionId{2, 9});
  CHECK(reader.sections()[3].mark == 43);
}

// Makes all checksums of the head right again.
void fix(Bytes& bytes, std::size_t sections) {
  const Span<std::byte> all(bytes);
  ByteWriter(all.subspan(12)).u32(crc32c(all.first(12)));
  const std::size_t end = snapshot_head_bytes(sections) - 4;
  ByteWriter(all.subspan(end)).u32(crc32c(all.first(end)));
}

}  // namespace

TEST_CASE("state: a snapshot reads back") {
  const Bytes bytes = small_snapshot();
  SimulatedDisk disk;
  disk.put("f/x", bytes);
  SnapshotReader reader;
  REQUIRE(reader.open(disk, "f/x", kGeneration) == SnapshotState::kGood);
  check_small(reader);
  Bytes content(7);
  CHECK(reader.read(3, content) == SnapshotState::kGood);
  CHECK(content == text("another"));
  CHECK(reader.read(2, content) == SnapshotState::kBroken);  // another size
  CHECK(reader.read(4, content) == SnapshotState::kBroken);
}

TEST_CASE("state: the golden snapshot of version 1 loads, and is still what is written") {
  if (const char* path = std::getenv("JACKDAW_WRITE_GOLDEN")) {
    const Bytes bytes = small_snapshot();
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    MESSAGE("wrote " << std::string(path));
  }
  std::ifstream in(JACKDAW_STATE_TEST_DATA "/snapshot_v1.bin", std::ios::binary);
  REQUIRE(in.good());
  const std::string raw((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  Bytes bytes(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) bytes[i] = static_cast<std::byte>(raw[i]);
  SnapshotReader reader;
  REQUIRE(open(bytes, reader) == SnapshotState::kGood);
  check_small(reader);
  CHECK(bytes == small_snapshot());
}

TEST_CASE("state: any bit flipped and any cut makes a snapshot unusable") {
  const Bytes good = small_snapshot();
  SnapshotReader reader;
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    Bytes bytes = good;
    bytes[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
    CAPTURE(bit);
    REQUIRE(open(bytes, reader) == SnapshotState::kBroken);
    REQUIRE_FALSE(reader.reason().empty());
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    REQUIRE(open(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)), reader) ==
            SnapshotState::kBroken);
  }
  Bytes longer = good;
  longer.push_back(std::byte{0});
  CHECK(open(longer, reader) == SnapshotState::kBroken);
}

TEST_CASE("state: impossible values are refused although every checksum holds") {
  const Bytes good = small_snapshot();
  const auto refused = [&](std::size_t offset, std::uint64_t value, bool wide) {
    Bytes bytes = good;
    ByteWriter writer(Span<std::byte>(bytes).subspan(offset));
    wide ? writer.u64(value) : writer.u32(static_cast<std::uint32_t>(value));
    fix(bytes, 4);
    SnapshotReader reader;
    return open(bytes, reader) == SnapshotState::kBroken;
  };
  const std::size_t second = kSnapshotHeaderBytes + kTableEntryBytes;
  CHECK(refused(8, 0, false));                // version 0
  CHECK(refused(16, kGeneration + 1, true));  // not the name's generation
  CHECK(refused(16, 0, true));
  CHECK(refused(24, std::uint64_t{1} << 63U, true));  // mark
  CHECK(refused(24, 42, true));                       // mark above a section's
  CHECK(refused(32, good.size() + 1, true));          // size
  CHECK(refused(32, ~std::uint64_t{0}, true));
  for (const std::uint64_t count : {0U, 3U, 5U, 65536U, 65537U, 0xFFFFFFFFU}) {
    CHECK(refused(40, count, false));
  }
  CHECK(refused(44, 1, false));            // must be zero
  CHECK(refused(second, 1, false));        // the id of the section before
  CHECK(refused(second + 8, 40, true));    // section mark
  CHECK(refused(second + 16, 384, true));  // offset: hole
  CHECK(refused(second + 16, 0, true));    // offset: overlap
  CHECK(refused(second + 16, ~std::uint64_t{0}, true));
  CHECK(refused(second + 24, 71, true));  // bytes
  CHECK(refused(second + 24, ~std::uint64_t{0}, true));
  CHECK(refused(second + 24, ~std::uint64_t{0} - 255, true));  // offset + bytes wraps
  CHECK(refused(second + 36, 1, false));                       // must be zero
}

TEST_CASE("state: a newer snapshot is refused and stays as it is") {
  Bytes bytes = small_snapshot();
  bytes[8] = std::byte{2};
  fix(bytes, 4);
  SimulatedDisk disk;
  disk.put("state/" + snapshot_name(kGeneration), bytes);
  const Files before = disk.files();
  Toy toy;
  try {
    const StateFolder state(disk, "state", toy);
    FAIL("it was opened");
  } catch (const StateError& error) {
    const std::string message = error.what();
    INFO(message);
    CHECK(message.find(snapshot_name(kGeneration)) != std::string::npos);
    CHECK(message.find("version 2") != std::string::npos);
    CHECK(message.find("update this program") != std::string::npos);
  }
  CHECK(disk.files() == before);
}

TEST_CASE("state: a snapshot that is not published leaves nothing behind") {
  SimulatedDisk disk;
  {
    SnapshotWriter writer(disk, "f", 1, {}, 3, 1);
    REQUIRE_FALSE(writer.begin());
    CHECK(writer.finish().code == EINVAL);            // a section is missing
    CHECK(writer.add({1, 1}, 2, {}).code == EINVAL);  // older than the snapshot
    REQUIRE_FALSE(writer.add({1, 1}, 3, {}));
    CHECK(writer.add({1, 2}, 3, {}).code == EINVAL);  // one too many
    CHECK(disk.files().size() == 1);
  }
  CHECK(disk.files().empty());
}

}  // namespace jackdaw::state::test
