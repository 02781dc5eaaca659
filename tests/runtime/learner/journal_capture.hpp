// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The records in a folder's journal, in order. The folder must not have been snapshot but when it
// was made, so that they begin at the beginning.
//
//   const std::vector<Record> records = records_in(learner);

#include <cstdint>
#include <vector>

#include "runtime/learner/learner_support.hpp"
#include "state/posix_file_system.hpp"
#include "state/state_folder.hpp"

namespace jackdaw::testing {

struct Record {
  std::uint64_t sequence = 0;
  std::uint8_t kind = 0;
  Bytes payload;
};

class JournalCapture final : public state::Persistent {
 public:
  explicit JournalCapture(Learner& of) : of_(of.core()) {}
  std::vector<Record> records;

  state::Hash256 identity() const override { return of_.identity(); }
  std::size_t largest_section_bytes() const override { return of_.largest_section_bytes(); }
  std::uint64_t list_sections(std::vector<state::SectionId>&) override { return 0; }
  state::SectionCopy copy_section(state::SectionId, Span<std::byte>) override { return {}; }
  void begin_load() override { records.clear(); }
  void load_section(state::SectionId, std::uint64_t, Span<const std::byte>) override {}
  void replay(std::uint64_t sequence, std::uint8_t kind, Span<const std::byte> payload) override {
    records.push_back({sequence, kind, Bytes(payload.begin(), payload.end())});
  }
  void end_load(std::uint64_t) override {}

 private:
  const Learner::Core& of_;
};

inline std::vector<Record> records_in(Learner& learner) {
  REQUIRE(learner.flush(20.0));
  state::PosixFileSystem files;
  JournalCapture capture(learner);
  const state::RecoveryReport report =
      state::StateFolder::read(files, learner.settings().folder, capture);
  REQUIRE(report.snapshot_mark == 0);
  return capture.records;
}

inline void replay(Learner& learner, const Record& record) {
  learner.core().replay(record.sequence, record.kind, record.payload);
}

}  // namespace jackdaw::testing
