// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/journal_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <utility>

#include "jackdaw/log.hpp"
#include "state/file_names.hpp"

namespace jackdaw::state {

JournalWriter::JournalWriter(FileSystem& files, std::string folder, const Hash256& identity,
                             const JournalOptions& options, NextGeneration next_generation,
                             Wake wake)
    : files_(files),
      folder_(std::move(folder)),
      identity_(identity),
      options_(options),
      next_generation_(std::move(next_generation)),
      wake_(std::move(wake)),
      ring_(options.ring_bytes) {}

JournalWriter::~JournalWriter() { stop(); }

void JournalWriter::start(std::unique_ptr<SegmentWriter> segment, std::uint64_t last) {
  segments_.push_back({segment->header().generation, segment->header().first_sequence});
  segment_ = std::move(segment);
  appended_ = last;
  acknowledged_.store(last);
  thread_ = std::thread([this] { run(); });
}

void JournalWriter::stop() noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  done_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Appended JournalWriter::append(std::uint8_t kind, Span<const std::byte> payload) noexcept {
  if (payload.size() > kMostPayloadBytes || !ring_.can_hold(payload.size())) {
    return {Status::kWrongSize, 0};
  }
  bool first = false;
  bool crowded = false;
  std::uint64_t sequence = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stop_ || !ring_.push(kind, payload)) return {Status::kJournalBehind, 0};
    first = appended_ == acknowledged_.load();
    if (first) oldest_ = Clock::now();
    crowded = ring_.used() > ring_.capacity() / 2;
    sequence = ++appended_;
  }
  if (first || crowded) work_.notify_one();
  return {Status::kOk, sequence};
}

std::uint64_t JournalWriter::appended() const noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  return appended_;
}

bool JournalWriter::wait_for(std::uint64_t sequence, Clock::time_point deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  flush_to_ = std::max(flush_to_, std::min(sequence, appended_));
  work_.notify_one();
  done_.wait_until(lock, deadline, [&] { return acknowledged_.load() >= sequence || stop_; });
  return acknowledged_.load() >= sequence;
}

std::string JournalWriter::problem() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return problem_;
}

std::vector<SegmentRef> JournalWriter::segments() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return segments_;
}

void JournalWriter::forget_segments_before(std::uint64_t generation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  segments_.erase(std::remove_if(segments_.begin(), segments_.end(),
                                 [&](const SegmentRef& s) { return s.generation < generation; }),
                  segments_.end());
}

// Returns when there is a group to write; false when there is nothing more to do at all.
bool JournalWriter::wait_for_group(std::unique_lock<std::mutex>& lock) {
  work_.wait(lock, [&] { return stop_ || appended_ > acknowledged_.load(); });
  if (!healthy_.load()) work_.wait_until(lock, retry_at_, [&] { return stop_; });
  work_.wait_until(lock, oldest_ + options_.group_age, [&] {
    return stop_ || flush_to_ > acknowledged_.load() || ring_.used() > ring_.capacity() / 2;
  });
  return appended_ > acknowledged_.load();
}

void JournalWriter::run() noexcept {
  std::unique_lock<std::mutex> lock(mutex_);
  while (wait_for_group(lock)) {
    const std::uint64_t target = appended_;
    const Clock::time_point began = Clock::now();
    lock.unlock();
    IoError error;
    try {
      error = write_group(target);
    } catch (const std::exception&) {
      error = {ENOMEM};
    }
    if (error) fail(error);
    wake_();
    lock.lock();
    // What was appended meanwhile is at most as old as the beginning of this group.
    if (!error) oldest_ = began;
    if (error && stop_) break;
  }
}

// Everything up to target, into as many segments as it takes.
IoError JournalWriter::write_group(std::uint64_t target) {
  std::uint64_t durable = acknowledged_.load();
  RecordRing::Cursor cursor;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    cursor = ring_.oldest();
  }
  for (std::uint64_t sequence = durable + 1; sequence <= target;) {
    if (!segment_) {
      if (const IoError error = open_segment(sequence)) return error;
    }
    const RecordRing::Cursor before = cursor;
    const RecordRing::Item item = ring_.read(cursor);
    if (segment_->fits(item.payload.size())) {
      const auto pending = static_cast<std::uint32_t>(sequence - durable);
      if (const IoError error = segment_->add({sequence, pending, item.kind, item.payload})) {
        return error;
      }
      ++sequence;
      continue;
    }
    // Full. Its records are durable before the next segment exists, so a gap between two segments
    // is never the trace of a crash.
    cursor = before;
    if (const IoError error = segment_->sync()) return error;
    acknowledge(sequence - 1, cursor);
    durable = sequence - 1;
    segment_.reset();
  }
  if (const IoError error = segment_->sync()) return error;
  acknowledge(target, cursor);
  return {};
}

IoError JournalWriter::open_segment(std::uint64_t first) {
  const JournalHeader header{next_generation_(), first, identity_};
  auto segment = std::make_unique<SegmentWriter>(files_, folder_, header, options_.segment_bytes);
  failed_path_ = segment->path();
  if (const IoError error = segment->create()) return error;
  if (const IoError error = segment->commit()) return error;
  const std::lock_guard<std::mutex> lock(mutex_);
  segments_.push_back({header.generation, header.first_sequence});
  segment_ = std::move(segment);
  return {};
}

void JournalWriter::acknowledge(std::uint64_t sequence, RecordRing::Cursor cursor) {
  bool recovered = false;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    bytes_written_.fetch_add(cursor.position - ring_.oldest().position);
    ring_.release(cursor);
    acknowledged_.store(sequence);
    recovered = !healthy_.load();
    if (recovered) {
      problem_.clear();
      pause_ = std::chrono::milliseconds{0};
      restarts_.fetch_add(1);
      healthy_.store(true);
    }
  }
  done_.notify_all();
  if (recovered) log(LogLevel::kInfo, "the journal is durable again, in " + segment_->path());
}

void JournalWriter::fail(IoError error) noexcept {
  std::string text;
  try {
    text = "the journal " + (segment_ ? segment_->path() : failed_path_) +
           " cannot be written: " + error.text() +
           "; what is taught is kept in memory until a new journal can be started. " +
           (error.code == ENOSPC ? "Free some space on the disk."
                                 : "Check the disk (dmesg) and that the folder is writable.");
  } catch (const std::exception&) {
    // No memory for the text; healthy() still tells.
  }
  // Never written to again. If nothing in it was acknowledged it need not stay either.
  const bool empty = segment_ && segment_->header().first_sequence > acknowledged_.load();
  if (empty) segment_->remove();
  segment_.reset();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (empty) segments_.pop_back();
    healthy_.store(false);
    problem_ = text;
    pause_ = pause_.count() == 0 ? options_.first_pause : pause_ * 2;
    pause_ = std::min(pause_, options_.longest_pause);
    retry_at_ = Clock::now() + pause_;
  }
  log(LogLevel::kError, text);
}

}  // namespace jackdaw::state
