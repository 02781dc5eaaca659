// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Power loss, through the learner: its own records and sections on a disk that forgets what was not
// synced. tests/runtime/state does the same to the files for every moment; here it is about what
// the learner makes of them.
#include <atomic>
#include <mutex>
#include <random>

#include "jackdaw/error.hpp"
#include "runtime/learner/journal_capture.hpp"
#include "runtime/learner/operations.hpp"
#include "support/temporary_folder.hpp"
#include "runtime/state/crash_simulator.hpp"
#include "runtime/state/toy.hpp"

namespace jackdaw::testing {
namespace {

using state::test::CrashSimulator;
using state::test::SimulatedDisk;

std::vector<Record> some_records(Profile profile) {
  TemporaryFolder folder;
  Learner learner(small_in(folder.path("state"), profile));
  const Operations operations(seed() + 300, 24);
  for (std::uint64_t i = 0; i < 70; ++i) static_cast<void>(operations.apply(i, learner));
  return records_in(learner);
}

// States after 0, 1, ... records.
std::vector<Contents> states_after(const std::vector<Record>& records, Profile profile) {
  Learner learner(small(profile));
  std::vector<Contents> states{contents_of(learner)};
  for (const Record& record : records) {
    replay(learner, record);
    states.push_back(contents_of(learner));
  }
  return states;
}

// A learner whose changes are known beforehand, in a state folder on any file system.
class Echo final : public state::Persistent {
 public:
  Echo(Learner& learner, const std::vector<Record>& records)
      : core_(learner.core()), records_(records) {}

  void attach(state::StateFolder* folder) { folder_ = folder; }

  bool feed() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (folder_ == nullptr || next_ == records_.size()) return false;
    const Record& record = records_[next_];
    if (folder_->append(record.kind, record.payload).status != Status::kOk) return false;
    core_.replay(record.sequence, record.kind, record.payload);
    ++next_;
    return true;
  }

  state::Hash256 identity() const override { return core_.identity(); }
  std::size_t largest_section_bytes() const override { return core_.largest_section_bytes(); }
  std::uint64_t list_sections(std::vector<state::SectionId>& out) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return core_.list_sections(out);
  }
  state::SectionCopy copy_section(state::SectionId section, Span<std::byte> out) override {
    state::SectionCopy copy;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      copy = core_.copy_section(section, out);
    }
    static_cast<void>(feed());  // so that no two sections are of the same moment
    return copy;
  }
  void begin_load() override { core_.begin_load(); }
  void load_section(state::SectionId section, std::uint64_t mark,
                    Span<const std::byte> content) override {
    core_.load_section(section, mark, content);
  }
  void replay(std::uint64_t sequence, std::uint8_t kind, Span<const std::byte> payload) override {
    core_.replay(sequence, kind, payload);
  }
  void end_load(std::uint64_t last) override { core_.end_load(last); }

 private:
  Learner::Core& core_;
  const std::vector<Record>& records_;
  std::size_t next_ = 0;
  std::mutex mutex_;
  state::StateFolder* folder_ = nullptr;
};

void live(SimulatedDisk& disk, const std::vector<Record>& records, Profile profile) {
  Learner learner(small(profile));
  Echo echo(learner, records);
  std::atomic<state::StateFolder*> open{nullptr};  // recorded from the first call on
  disk.record([&] { return open == nullptr ? 0 : open.load()->acknowledged(); });
  state::StateFolder folder(disk, "state", echo, state::test::quick_options());
  open = &folder;
  echo.attach(&folder);
  for (int fed = 1; echo.feed(); ++fed) {
    if (fed % 4 == 0) REQUIRE(folder.flush(state::test::kLong));
    if (fed % 12 == 0) REQUIRE(folder.snapshot(state::test::kLong));
  }
  REQUIRE(folder.flush(state::test::kLong));
  disk.record({});
}

void check(Profile profile) {
  const std::vector<Record> records = some_records(profile);
  const std::vector<Contents> states = states_after(records, profile);
  SimulatedDisk disk;
  live(disk, records, profile);
  CrashSimulator crash(disk.log(), disk.initial());
  std::mt19937_64 random(seed());
  int images = 0;
  for (std::size_t calls = 0; calls <= crash.size(); ++calls) {
    crash.stop_after(calls);
    for (int i = 0; i < 5; ++i, ++images) {  // nothing, everything, and three subsets survive
      const std::uint64_t set = random();
      const auto survives = [&](std::size_t part) {
        return i == 1 || (i > 1 && (state::test::mix(set + part) & 1U) != 0);
      };
      SimulatedDisk after(crash.image(survives, random() % 512));
      Learner learner(small(profile));
      CAPTURE(calls);
      std::uint64_t found = 0;
      try {
        found = state::StateFolder::read(after, "state", learner.core()).last_sequence;
      } catch (const StateError& error) {
        FAIL("refused: " << error.what());
      }
      REQUIRE(found >= crash.acknowledged());
      REQUIRE(found < states.size());
      REQUIRE(contents_of(learner) == states[found]);
    }
  }
  MESSAGE(records.size() << " records, " << crash.size() << " calls, " << images << " images");
}

TEST_CASE(
    "After a power loss the learner is in the state after some beginning, with all acknowledged") {
  check(Profile::kDefault);
  check(Profile::kSeed);
}

}  // namespace
}  // namespace jackdaw::testing
