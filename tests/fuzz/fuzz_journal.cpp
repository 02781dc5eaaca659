// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the journal reader, from the first record and from a later one. The mutator puts the
// checksums of the header and of whatever can be taken for a record right again in most inputs.

#include "checksum_fixing.hpp"
#include "state/journal_reader.hpp"
#include "state_fuzz.hpp"

namespace jackdaw::state::test {
namespace {

void read_all(File& file, std::size_t size, std::uint64_t start_at) {
  JournalReader reader(file, kFuzzGeneration);
  reader.start_at(start_at);
  std::uint64_t before = 0;
  std::uint64_t bytes = kJournalHeaderBytes;
  for (JournalRecord record; reader.next(record);) {
    require(record.sequence == before + 1 || before == 0 || record.sequence <= start_at);
    require(record.sequence > before);
    require(record.sequence >= reader.header().first_sequence);
    require(record.pending >= 1 && record.pending <= record.sequence);
    before = record.sequence;
    bytes += record_bytes(record.payload.size());
    require(bytes <= size);
    static_cast<void>(crc32c(record.payload));  // touches every byte
  }
  require(!reader.error());
  if (before != 0) require(reader.last() == before && reader.highest_seen() >= before);
}

}  // namespace
}  // namespace jackdaw::state::test

using namespace jackdaw::state;
using namespace jackdaw::state::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SimulatedDisk disk;
  disk.put("f/x", to_bytes(data, size));
  std::unique_ptr<File> file;
  require(!disk.open("f/x", file));
  read_all(*file, size, 0);
  read_all(*file, size, 3);
  return 0;
}

#if defined(JACKDAW_LIBFUZZER)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (seed % 8 != 0) fix_journal(as_bytes(data, size), kFuzzGeneration, seed % 3 != 0);
  return size;
}
#endif
