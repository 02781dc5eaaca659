// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A folder that keeps what a learner has learned. Killed or powered off at any moment, it comes
// back with every acknowledged record, and with nothing torn or invented; of the records that were
// not acknowledged it comes back with some beginning, in order.
//
//   PosixFileSystem files;
//   StateFolder state(files, "/data/jackdaw", learner);      // loads; throws StateError
//   Appended a = state.append(kind, payload);                // from the learner, under its lock
//   state.acknowledged() >= a.sequence                       // it is safe now
//   if (!state.durable()) show(state.problem());             // the disk fails; learning goes on
//
//   RecoveryReport seen = StateFolder::read(files, folder, learner);  // changes nothing, no lock
//
// Threads: append() and the questions from any thread. The learner is called from the snapshot
// thread, so it must outlive the folder; and it must not hold its lock while it waits in flush(),
// snapshot() or the destructor.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "jackdaw/span.hpp"
#include "state/file_system.hpp"
#include "state/journal_writer.hpp"
#include "state/persistent.hpp"
#include "state/pruning.hpp"
#include "state/recovery.hpp"

namespace jackdaw::state {

struct StateOptions {
  JournalOptions journal;
  // A snapshot is taken by itself when this much was journalled since the last one.
  std::uint64_t snapshot_after_bytes = std::uint64_t{32} << 20U;
  // How long a snapshot waits for the journal, and the end of the program for both.
  std::chrono::milliseconds longest_wait{10000};
  // When acknowledged records turn out to be damaged: false goes on from the state before the
  // damage, with the damaged files set aside; true refuses to open.
  bool refuse_damage = false;
};

class StateFolder {
 public:
  StateFolder(FileSystem& files, std::string folder, Persistent& learner,
              const StateOptions& options = {});
  ~StateFolder();  // makes what was appended durable, if the disk lets it
  StateFolder(const StateFolder&) = delete;
  StateFolder& operator=(const StateFolder&) = delete;

  static RecoveryReport read(FileSystem& files, const std::string& folder, Persistent& learner);

  const RecoveryReport& report() const noexcept { return report_; }

  // Never waits for the disk, never allocates, never throws. kJournalBehind: nothing was taken.
  Appended append(std::uint8_t kind, Span<const std::byte> payload) noexcept {
    return journal_->append(kind, payload);
  }
  std::uint64_t acknowledged() const noexcept { return journal_->acknowledged(); }
  // True when everything appended before the call is durable.
  bool flush(std::chrono::milliseconds timeout);

  // True when a snapshot that began after the call is durable. It is tried until the time is over;
  // with once, the call returns when the first attempt fails (and it is still tried again
  // afterwards).
  bool snapshot(std::chrono::milliseconds timeout, bool once = false);

  // False while appended records do not reach the disk.
  bool durable() const noexcept { return journal_->healthy(); }
  // What is wrong with the journal or the snapshots, and what to do; empty when nothing is.
  std::string problem() const;

 private:
  void open();
  void start_segment(const Recovered& found);
  std::unique_ptr<SegmentWriter> new_segment(std::uint64_t first);
  IoError carry_over(const Recovered& found, SegmentWriter& segment);
  void set_aside(const std::vector<std::string>& names);
  void run();
  bool due() const;
  std::string try_snapshot();
  std::string take_snapshot(bool wait_for_journal);
  void published(std::uint64_t generation, std::uint64_t mark);

  FileSystem& files_;
  const std::string folder_;
  Persistent& learner_;
  const StateOptions options_;
  std::unique_ptr<FolderLock> lock_;
  RecoveryReport report_;
  std::atomic<std::uint64_t> next_generation_{1};

  // Only the snapshot thread, once it runs.
  std::vector<std::byte> section_buffer_;
  std::vector<SectionId> section_ids_;
  std::vector<SegmentRef> old_segments_;  // found at the start; the journal knows the newer ones
  std::vector<GoodSnapshot> good_;        // newest first

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
  std::uint64_t failed_ = 0;        // the newest request whose first attempt failed
  std::uint64_t bytes_before_ = 0;  // replayed at the start, so journalled before
  std::uint64_t bytes_at_snapshot_ = 0;
  std::uint64_t restarts_at_snapshot_ = 0;
  std::string problem_;
  std::atomic<bool> stop_{false};
  // Last, so that its thread, which wakes ours, ends before what it uses.
  std::unique_ptr<JournalWriter> journal_;
  std::thread thread_;
};

}  // namespace jackdaw::state
