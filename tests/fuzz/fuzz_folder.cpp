// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the recovery of a whole folder: the input is cut into files, which are put next to each
// other as snapshots and journals. Whatever they hold, the answer is a state or a StateError, and
// reading changes nothing.

#include <algorithm>
#include <vector>

#include "../runtime/state/toy.hpp"
#include "checksum_fixing.hpp"
#include "jackdaw/error.hpp"
#include "state/file_names.hpp"
#include "state_fuzz.hpp"

namespace jackdaw::state::test {
namespace {

// Takes any content; only the order of calls and numbers is checked.
class Anything final : public Persistent {
 public:
  Hash256 identity() const override { return Toy().identity(); }
  std::size_t largest_section_bytes() const override { return 4096; }
  std::uint64_t list_sections(std::vector<SectionId>& out) override {
    out.clear();
    return last_;
  }
  SectionCopy copy_section(SectionId, Span<std::byte>) override { return {0, last_}; }
  void begin_load() override { last_ = 0; }
  void load_section(SectionId, std::uint64_t, Span<const std::byte> content) override {
    require(content.size() <= 4096);
  }
  void replay(std::uint64_t sequence, std::uint8_t, Span<const std::byte>) override {
    require(last_ == 0 || sequence == last_ + 1);
    last_ = sequence;
  }
  void end_load(std::uint64_t last) override { require(last >= last_); }

 private:
  std::uint64_t last_ = 0;
};

}  // namespace
}  // namespace jackdaw::state::test

using namespace jackdaw;
using namespace jackdaw::state;
using namespace jackdaw::state::test;

// Input: up to four files, each: u8 kind and generation, u16 size, content.
template <class Use>
void for_each_file(std::uint8_t* data, std::size_t size, Use use) {
  for (int i = 0; i < 4 && size >= 3; ++i) {
    const std::uint64_t generation = 1 + (data[0] & 7U);
    const bool snapshot = (data[0] & 8U) != 0;
    const std::size_t bytes = std::min<std::size_t>(data[1] + 256U * data[2], size - 3);
    use(generation, snapshot, as_bytes(data + 3, bytes));
    data += 3 + bytes;
    size -= 3 + bytes;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> copy(data, data + size);
  Files files;
  for_each_file(
      copy.data(), size, [&](std::uint64_t generation, bool snapshot, Span<std::byte> content) {
        const std::string name = snapshot ? snapshot_name(generation) : journal_name(generation);
        files["state/" + name] = Bytes(content.begin(), content.end());
      });
  SimulatedDisk disk(files);
  Anything learner;
  try {
    static_cast<void>(StateFolder::read(disk, "state", learner));
  } catch (const jackdaw::StateError&) {
  }
  require(disk.files() == files);
  return 0;
}

#if defined(JACKDAW_LIBFUZZER)
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  if (seed % 8 == 0) return size;
  for_each_file(data, size, [&](std::uint64_t generation, bool snapshot, Span<std::byte> content) {
    snapshot ? fix_snapshot(content, generation) : fix_journal(content, generation, seed % 3 != 0);
  });
  return size;
}
#endif
