// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes records at any time and makes them durable in the background.
//
//   Appended a = journal.append(kind, payload);       // never waits for the disk, never allocates
//   if (a.status == Status::kJournalBehind) ...       // the ring is full: nothing was taken
//   journal.acknowledged() >= a.sequence              // from then on it survives a power loss
//
// One thread writes groups of records, at most group_age old, and syncs once a group. After a
// failed write or sync the file is never touched again: everything that is not acknowledged is
// still in the ring and goes into a new segment of a new generation, after a pause that doubles
// each time. Until that works, appending goes on as far as the ring reaches.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/span.hpp"
#include "jackdaw/status.hpp"
#include "state/file_system.hpp"
#include "state/record_ring.hpp"
#include "state/segment_writer.hpp"

namespace jackdaw::state {

struct JournalOptions {
  std::size_t ring_bytes = std::size_t{1} << 20U;
  std::uint64_t segment_bytes = std::uint64_t{4} << 20U;
  std::chrono::milliseconds group_age{100};
  std::chrono::milliseconds first_pause{100};  // after a failure; doubled each time
  std::chrono::milliseconds longest_pause{10000};
};

struct Appended {
  Status status = Status::kOk;
  std::uint64_t sequence = 0;  // only with kOk
};

struct SegmentRef {
  std::uint64_t generation = 0;
  std::uint64_t first_sequence = 0;
};

class JournalWriter {
 public:
  using Clock = std::chrono::steady_clock;
  using NextGeneration = std::function<std::uint64_t()>;
  using Wake = std::function<void()>;

  // wake is called from the writer's thread after each group and each failure.
  JournalWriter(FileSystem& files, std::string folder, const Hash256& identity,
                const JournalOptions& options, NextGeneration next_generation, Wake wake);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Goes on in a segment that exists; everything up to last is durable.
  void start(std::unique_ptr<SegmentWriter> segment, std::uint64_t last);
  // Writes what the ring holds, once, and ends the thread.
  void stop() noexcept;

  Appended append(std::uint8_t kind, Span<const std::byte> payload) noexcept;
  std::uint64_t appended() const noexcept;
  std::uint64_t acknowledged() const noexcept { return acknowledged_.load(); }
  // Writes without waiting for the group to age. False when the deadline came first.
  bool wait_for(std::uint64_t sequence, Clock::time_point deadline);

  bool healthy() const noexcept { return healthy_.load(); }
  std::string problem() const;  // empty when healthy

  // How often a new generation was started because the one before had failed.
  std::uint64_t restarts() const noexcept { return restarts_.load(); }
  std::uint64_t bytes_written() const noexcept { return bytes_written_.load(); }
  std::vector<SegmentRef> segments() const;  // made by this writer, oldest first
  void forget_segments_before(std::uint64_t generation);

 private:
  void run() noexcept;
  bool wait_for_group(std::unique_lock<std::mutex>& lock);
  IoError write_group(std::uint64_t target);
  IoError open_segment(std::uint64_t first);
  void acknowledge(std::uint64_t sequence, RecordRing::Cursor cursor);
  void fail(IoError error) noexcept;

  FileSystem& files_;
  const std::string folder_;
  const Hash256 identity_;
  const JournalOptions options_;
  const NextGeneration next_generation_;
  const Wake wake_;

  // Only the writer's thread, once it runs.
  std::unique_ptr<SegmentWriter> segment_;
  std::string failed_path_;

  mutable std::mutex mutex_;
  std::condition_variable work_;  // for the writer's thread
  std::condition_variable done_;  // for those who wait for it
  RecordRing ring_;
  std::uint64_t appended_ = 0;
  std::uint64_t flush_to_ = 0;
  Clock::time_point oldest_;  // not later than the append of the oldest record in the ring
  Clock::time_point retry_at_;
  std::chrono::milliseconds pause_{0};
  std::string problem_;
  std::vector<SegmentRef> segments_;
  bool stop_ = false;

  std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::uint64_t> restarts_{0};
  std::atomic<std::uint64_t> bytes_written_{0};
  std::atomic<bool> healthy_{true};
  std::thread thread_;
};

}  // namespace jackdaw::state
