// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The segments of a folder as one journal.
//
//   JournalChain chain(files, folder, identity);
//   chain.read_headers(generations);                // oldest first; throws StateError
//   std::uint64_t last = chain.follow(mark);        // how far the records after mark go
//   chain.replay(mark, [](const JournalRecord& record) { ... });
//
// Segments follow each other by generation; a segment counts up to where the next one begins. A
// valid record, and a segment's header, prove that numbers below them were durable.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/journal_reader.hpp"
#include "state/journal_writer.hpp"
#include "state/persistent.hpp"

namespace jackdaw::state {

// A file went away between listing and opening: another process is pruning. List again.
struct Vanished {};

class JournalChain {
 public:
  using Visit = std::function<void(const std::string& file, const JournalRecord& record)>;

  // A segment without a valid header: a crash while it was being made, or damage.
  struct Headless {
    std::string name;
    std::uint64_t highest = 0;  // of its valid records
  };

  JournalChain(FileSystem& files, std::string folder, const Hash256& identity);

  void read_headers(const std::vector<std::uint64_t>& generations);
  std::uint64_t follow(std::uint64_t mark);
  // What the last follow() found; the last number.
  std::uint64_t replay(std::uint64_t mark, const Visit& visit);

  const std::vector<SegmentRef>& segments() const noexcept { return segments_; }
  const std::vector<Headless>& headless() const noexcept { return headless_; }
  std::uint64_t proven_durable() const noexcept { return proven_; }
  std::uint64_t highest_seen() const noexcept { return highest_; }

  // Of the last follow(): what is known to have been durable, how the journal ended, and the
  // segment it ended in (segments().size() when there was none).
  std::uint64_t durable() const noexcept { return durable_; }
  JournalEnd end() const noexcept { return end_; }
  std::size_t last_segment() const noexcept {
    return stretches_.empty() ? segments_.size() : stretches_.back().segment;
  }

  // For whoever finds a file that must not be used.
  [[noreturn]] void refuse(const std::string& name, const std::string& what,
                           const std::string& next) const;
  [[noreturn]] void refuse_identity(const std::string& name) const;

 private:
  struct Stretch {
    std::size_t segment = 0;
    std::uint64_t limit = 0;  // its last record that counts
  };

  std::unique_ptr<File> open(std::uint64_t generation) const;
  [[noreturn]] void unreadable(std::uint64_t generation, IoError error) const;
  void prove(const JournalReader& reader) noexcept;
  std::uint64_t walk(const Stretch& stretch, std::uint64_t after, const Visit& visit);

  FileSystem& files_;
  const std::string folder_;
  const Hash256 identity_;
  std::vector<SegmentRef> segments_;
  std::vector<Headless> headless_;
  std::vector<Stretch> stretches_;
  std::uint64_t proven_ = 0;
  std::uint64_t highest_ = 0;
  std::uint64_t durable_ = 0;
  std::uint64_t walked_durable_ = 0;
  JournalEnd end_ = JournalEnd::kClean;
};

}  // namespace jackdaw::state
