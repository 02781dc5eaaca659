// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the snapshot reader. A snapshot with a wrong checksum is refused at once, so the mutator
// puts the checksums right again in most inputs: what is behind them is fuzzed too.

#include "checksum_fixing.hpp"
#include "state/snapshot_reader.hpp"
#include "state_fuzz.hpp"

using namespace jackdaw::state;
using namespace jackdaw::state::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SimulatedDisk disk;
  disk.put("f/x", to_bytes(data, size));
  SnapshotReader reader;
  const SnapshotState state = reader.open(disk, "f/x", kFuzzGeneration);
  if (state != SnapshotState::kGood) {
    require(!reader.reason().empty());
    return 0;
  }
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < reader.sections().size(); ++i) {
    const SnapshotSection& section = reader.sections()[i];
    require(section.offset >= end && section.offset % kSectionAlignment == 0);
    require(section.mark >= reader.header().mark && section.mark <= reader.newest_mark());
    end = section.offset + section.bytes;
    require(end <= size);
    Bytes content(static_cast<std::size_t>(section.bytes));
    require(reader.read(i, content) == SnapshotState::kGood);
  }
  return 0;
}

#if defined(JACKDAW_LIBFUZZER)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (seed % 8 != 0) fix_snapshot(as_bytes(data, size), kFuzzGeneration);
  return size;
}
#endif
