// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/state_folder.hpp"

#include <cerrno>
#include <utility>

#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"
#include "state/file_names.hpp"
#include "state/journal_reader.hpp"

namespace jackdaw::state {

StateFolder::StateFolder(FileSystem& files, std::string folder, Persistent& learner,
                         const StateOptions& options)
    : files_(files), folder_(std::move(folder)), learner_(learner), options_(options) {
  open();
}

StateFolder::~StateFolder() {
  const auto deadline = JournalWriter::Clock::now() + options_.longest_wait;
  if (durable()) static_cast<void>(journal_->wait_for(journal_->appended(), deadline));
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_.store(true);
  }
  wake_.notify_all();
  done_.notify_all();
  if (thread_.joinable()) thread_.join();
  journal_->stop();
}

RecoveryReport StateFolder::read(FileSystem& files, const std::string& folder,
                                 Persistent& learner) {
  return recover(files, folder, learner).report;
}

void StateFolder::open() {
  const auto fail = [&](const std::string& what, IoError error, const std::string& next) {
    throw StateError("the state folder " + folder_ + " cannot be " + what + ": " + error.text() +
                     "; " + next);
  };
  if (const IoError error = files_.make_folder(folder_)) {
    fail("made", error, "make the folder above it, or choose another");
  }
  if (const IoError error = files_.lock_folder(folder_, lock_)) {
    if (error.code != EWOULDBLOCK) fail("locked", error, "check that it is a folder of yours");
    throw StateError("the state folder " + folder_ +
                     " is in use by another process; stop that one, or choose another folder");
  }

  const Recovered found = recover(files_, folder_, learner_);
  report_ = found.report;
  for (const std::string& note : report_.notes) log(LogLevel::kWarning, folder_ + ": " + note);
  if (report_.damaged && options_.refuse_damage) {
    throw StateError(
        "the state in " + folder_ + " is damaged: " + report_.notes.back() +
        "; nothing was changed. Restore it from a copy, or allow to go on without them");
  }
  next_generation_.store(found.next_generation);
  old_segments_ = found.segments;
  bytes_before_ = found.bytes_replayed;
  if (report_.snapshot_generation != 0) {
    good_.push_back({report_.snapshot_generation, report_.snapshot_mark});
  }
  section_buffer_.resize(learner_.largest_section_bytes());
  journal_ = std::make_unique<JournalWriter>(
      files_, folder_, learner_.identity(), options_.journal,
      [this] { return next_generation_.fetch_add(1); },
      [this] {
        const std::lock_guard<std::mutex> lock(mutex_);
        wake_.notify_all();
      });
  set_aside(found.broken_snapshots);
  start_segment(found);
  set_aside(found.damaged_journals);
  for (const std::string& name : found.leftovers) {
    const IoError ignored = files_.remove(join(folder_, name));
    static_cast<void>(ignored);
  }
  thread_ = std::thread([this] { run(); });
}

// Everything that was recovered is on the disk for certain when this returns; so is the name of a
// snapshot that was renamed just before a crash, by the sync of the folder in commit().
void StateFolder::start_segment(const Recovered& found) {
  std::unique_ptr<SegmentWriter> segment;
  IoError error;
  if (report_.damaged) {
    // Numbers go on after the highest ever used. The records between are gone, so the chain of
    // segments has a gap here and a snapshot must bridge it before anything is appended.
    const std::string problem = take_snapshot(false);
    if (!problem.empty()) throw StateError(problem);
    segment = new_segment(found.highest_sequence + 1);
    error = segment->create();
    if (!error) error = segment->commit();
  } else {
    segment = new_segment(found.known_durable + 1);
    error = segment->create();
    if (!error) error = carry_over(found, *segment);
    if (!error) error = segment->commit();
  }
  if (error) {
    throw StateError("the journal " + segment->path() + " cannot be started: " + error.text() +
                     (error.code == ENOSPC ? "; free some space on the disk"
                                           : "; check the disk and that the folder is writable"));
  }
  journal_->start(std::move(segment), found.highest_sequence);
}

std::unique_ptr<SegmentWriter> StateFolder::new_segment(std::uint64_t first) {
  const JournalHeader header{next_generation_.fetch_add(1), first, learner_.identity()};
  return std::make_unique<SegmentWriter>(files_, folder_, header, options_.journal.segment_bytes);
}

// Records that the old segment does not prove to be durable are written again. They were read, but
// maybe only from the kernel's cache: if the sync that should have saved them failed in a process
// that is gone, a sync now would report success and save nothing.
IoError StateFolder::carry_over(const Recovered& found, SegmentWriter& segment) {
  if (found.known_durable == report_.last_sequence) return {};
  const std::string path = join(folder_, journal_name(found.tail_generation));
  std::unique_ptr<File> file;
  if (const IoError error = files_.open(path, file)) return error;
  JournalReader reader(*file, found.tail_generation);
  reader.start_at(found.known_durable + 1);
  std::uint64_t last = found.known_durable;
  for (JournalRecord record; last < report_.last_sequence && reader.next(record);) {
    if (record.sequence <= found.known_durable) continue;
    record.pending = static_cast<std::uint32_t>(record.sequence - found.known_durable);
    if (const IoError error = segment.add(record)) return error;
    last = record.sequence;
  }
  if (reader.error()) return reader.error();
  if (last != report_.last_sequence) return {EIO};  // it held a moment ago
  return {};
}

// What cannot be moved now is found again the next time.
void StateFolder::set_aside(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string path = join(folder_, name);
    if (const IoError error = files_.rename(path, broken_name(path))) {
      log(LogLevel::kWarning, path + " could not be set aside: " + error.text());
    } else {
      log(LogLevel::kWarning, path + " is damaged and was set aside as " + broken_name(name));
    }
  }
}

bool StateFolder::flush(std::chrono::milliseconds timeout) {
  return journal_->wait_for(journal_->appended(), JournalWriter::Clock::now() + timeout);
}

bool StateFolder::snapshot(std::chrono::milliseconds timeout, bool once) {
  std::unique_lock<std::mutex> lock(mutex_);
  const std::uint64_t ticket = ++asked_;
  wake_.notify_all();
  done_.wait_for(lock, timeout, [&] {
    return answered_ >= ticket || (once && failed_ >= ticket) || stop_.load();
  });
  return answered_ >= ticket;
}

std::string StateFolder::problem() const {
  const std::string journal = journal_->problem();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (journal.empty() || problem_.empty()) return journal + problem_;
  return journal + " Also: " + problem_;
}

}  // namespace jackdaw::state
