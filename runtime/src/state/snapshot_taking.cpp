// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The half of StateFolder that runs on the snapshot thread.

#include <algorithm>
#include <cerrno>
#include <exception>

#include "jackdaw/log.hpp"
#include "state/file_names.hpp"
#include "state/snapshot_writer.hpp"
#include "state/state_folder.hpp"

namespace jackdaw::state {

// With mutex_ held. A journal that had to be started anew calls for a snapshot too: the disk has
// failed once, so no more than necessary should depend on what it held before.
bool StateFolder::due() const {
  return asked_ > answered_ || journal_->restarts() > restarts_at_snapshot_ ||
         bytes_before_ + (journal_->bytes_written() - bytes_at_snapshot_) >
             options_.snapshot_after_bytes;
}

void StateFolder::run() {
  std::chrono::milliseconds pause{0};
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return stop_.load() || due(); });
    wake_.wait_for(lock, pause, [&] { return stop_.load(); });
    if (stop_.load()) return;
    const std::uint64_t ticket = asked_;
    const std::uint64_t bytes = journal_->bytes_written();
    const std::uint64_t restarts = journal_->restarts();
    lock.unlock();
    const std::string problem = try_snapshot();
    lock.lock();
    problem_ = problem;
    if (problem.empty()) {
      answered_ = ticket;
      bytes_before_ = 0;
      bytes_at_snapshot_ = bytes;
      restarts_at_snapshot_ = restarts;
      pause = std::chrono::milliseconds{0};
      done_.notify_all();
    } else {
      pause = pause.count() == 0 ? options_.journal.first_pause : pause * 2;
      pause = std::min(pause, options_.journal.longest_pause);
      failed_ = ticket;
      done_.notify_all();
    }
  }
}

std::string StateFolder::try_snapshot() {
  std::string problem;
  try {
    problem = take_snapshot(true);
  } catch (const std::exception& error) {
    problem = "a snapshot could not be taken: " + std::string(error.what());
  }
  if (!problem.empty() && !stop_.load()) log(LogLevel::kError, problem);
  return problem;
}

// Empty, or what went wrong. Each attempt is a new generation and a new file.
std::string StateFolder::take_snapshot(bool wait_for_journal) {
  const std::uint64_t generation = next_generation_.fetch_add(1);
  const auto failed = [&](const std::string& why) {
    return "the snapshot " + join(folder_, snapshot_name(generation)) +
           " could not be written: " + why +
           "; check the disk and its free space. It will be tried again.";
  };
  const std::uint64_t mark = learner_.list_sections(section_ids_);
  if (section_ids_.size() > kMostSections) return failed("there are too many sections");
  std::sort(section_ids_.begin(), section_ids_.end());
  if (std::adjacent_find(section_ids_.begin(), section_ids_.end()) != section_ids_.end()) {
    return failed("a section is listed twice");
  }

  SnapshotWriter writer(files_, folder_, generation, learner_.identity(), mark,
                        section_ids_.size());
  if (const IoError error = writer.begin()) return failed(error.text());
  for (const SectionId id : section_ids_) {
    if (stop_.load()) return failed("the program is ending");
    const SectionCopy copy = learner_.copy_section(id, section_buffer_);
    if (copy.bytes > section_buffer_.size()) return failed("a section is too large");
    const auto content = Span<const std::byte>(section_buffer_).first(copy.bytes);
    if (const IoError error = writer.add(id, copy.mark, content)) return failed(error.text());
  }
  if (const IoError error = writer.finish()) return failed(error.text());
  // Older ones are deleted on its account, so it must be readable as it stands.
  if (const std::string flaw = writer.verify(); !flaw.empty()) return failed(flaw);

  // The sections were copied one after another; only the journal brings them to one moment.
  const auto deadline = JournalWriter::Clock::now() + options_.longest_wait;
  while (wait_for_journal && journal_->acknowledged() < writer.newest_mark()) {
    const auto now = JournalWriter::Clock::now();
    if (stop_.load() || now >= deadline) return failed("the journal is not durable");
    const auto soon = std::min(deadline, now + std::chrono::milliseconds{50});
    static_cast<void>(journal_->wait_for(writer.newest_mark(), soon));
  }
  if (const IoError error = writer.publish()) return failed(error.text());
  published(generation, mark);
  return {};
}

void StateFolder::published(std::uint64_t generation, std::uint64_t mark) {
  good_.insert(good_.begin(), {generation, mark});
  if (good_.size() > 2) good_.resize(2);
  std::vector<SegmentRef> segments = old_segments_;
  for (const SegmentRef& segment : journal_->segments()) segments.push_back(segment);
  const std::uint64_t needed = prune(files_, folder_, good_, segments);
  journal_->forget_segments_before(needed);
  old_segments_.erase(std::remove_if(old_segments_.begin(), old_segments_.end(),
                                     [&](const SegmentRef& s) { return s.generation < needed; }),
                      old_segments_.end());
}

}  // namespace jackdaw::state
