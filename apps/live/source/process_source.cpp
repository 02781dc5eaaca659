// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/process_source.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "jackdaw/error.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

constexpr int kNotesAtOnce = 256;          // a flood must not keep capture() past its deadline
constexpr std::size_t kMostLeftovers = 4;  // processes that the kernel does not let die
constexpr double kBeginning = 0.05;  // seconds left to a process that has just closed its link

std::vector<std::string> words_of(const CaptureProgram& program) {
  std::vector<std::string> words{kCaptureCommand};
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  return words;
}

std::string in_seconds(double seconds) {
  const auto tenths = static_cast<long>(std::lround(seconds * 10.0));
  const std::string whole = std::to_string(tenths / 10);
  return (tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10)) + " s";
}

}  // namespace

ProcessSource::Running::Running(const CaptureProgram& program)
    : memory(SharedFrames::make()),
      child(program.path.empty() ? "/proc/self/exe" : program.path, words_of(program),
            memory.descriptor()),
      started(steady_seconds()),
      heard(started) {}

ProcessSource::ProcessSource(SourceUri uri, SourceOptions options, CaptureProgram program)
    : uri_(std::move(uri)), options_(std::move(options)), program_(std::move(program)) {
  if (std::getenv(kCaptureMark) != nullptr) {
    // A program without capture_process() in its main() would start itself again and again.
    throw SettingsError("source '" + uri_.shown +
                        "': a capture process cannot open a source; main() "
                        "must call capture_process() first");
  }
}

std::optional<pid_t> ProcessSource::process() const {
  return running_ ? std::optional<pid_t>(running_->child.id()) : std::nullopt;
}

void ProcessSource::start(double now) {
  if (ChildProcess::reap_leftovers() >= kMostLeftovers) {
    lose("the driver holds " + std::to_string(kMostLeftovers) +
             " processes that cannot be ended; unplug the camera or restart the device",
         now);
    return;
  }
  try {
    running_.emplace(program_);
    ++starts_;
    if (!running_->child.tell(to_text({uri_, options_}))) lose("its process takes no request", now);
  } catch (const Error& error) {
    lose(error.what(), now);
  }
}

void ProcessSource::lose(const std::string& why, double now) {
  std::string words;
  if (running_) {
    words = running_->child.last_words();
    const bool steady =
        running_->first_frame >= 0.0 && now - running_->first_frame >= program_.times.steady;
    if (steady) pause_ = 0.0;
    base_ = std::max(base_, handed_out_);
    running_.reset();  // kills it
  }
  pause_ = pause_ > 0.0 ? std::min(2.0 * pause_, program_.times.longest_pause)
                        : program_.times.first_pause;
  retry_at_ = now + pause_;
  // What the process itself said last tells most; it names the source.
  trouble_ = words.empty() || why.empty() ? why : why + ": " + words;
  if (why.empty()) trouble_ = words;
  if (trouble_.empty()) trouble_ = "its process ended without a word";
  trouble_ = without_secrets(trouble_, uri_);
}

std::string ProcessSource::how_it_ended(int status) const {
  if (WIFSIGNALED(status)) {
    return std::string("its process crashed (") + ::strsignal(WTERMSIG(status)) + ")";
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "it ended";
  return "";  // then its last line says why
}

double ProcessSource::time_of_patience() const {
  const CaptureTimes& times = program_.times;
  return running_->first_frame < 0.0 ? running_->started + times.opening
                                     : running_->heard + times.silence;
}

bool ProcessSource::listen(double now) {
  Note note;
  for (int i = 0; i < kNotesAtOnce && running_->child.next_note(note); ++i) {
    const auto word = static_cast<Word>(note.word);
    if (note.mark != kNoteMark || note.word < 1 ||
        note.word > static_cast<std::uint32_t>(Word::kEnd)) {
      lose("its process spoke nonsense", now);
      return false;
    }
    if (word == Word::kOpened) running_->opened = true;
    if (word == Word::kAlive && running_->first_frame >= 0.0) running_->heard = now;
    if (word == Word::kEnd && uri_.kind == SourceKind::kVideo) running_->ended = true;
  }
  return true;
}

// Everything that comes from the shared memory is copied once, then checked, then used.
bool ProcessSource::take(double now, SourceFrame& frame) {
  Running& run = *running_;
  if ((run.memory.mailbox().load(std::memory_order_relaxed) & kFreshMark) == 0) return false;
  const std::uint32_t got = run.memory.mailbox().exchange(run.slot, std::memory_order_acq_rel);
  const std::uint32_t slot = got & ~kFreshMark;
  if (slot >= kFrameSlots || slot == run.slot) {
    lose("its process wrote nonsense (slot " + std::to_string(slot) + ")", now);
    return false;
  }
  run.slot = slot;
  SlotNotes notes;
  std::memcpy(&notes, &run.memory.notes(slot), sizeof notes);
  const std::uint64_t bytes = std::uint64_t{3} * notes.width * notes.height;
  if (notes.width == 0 || notes.height == 0 || notes.width > kMostPixelsASide ||
      notes.height > kMostPixelsASide || bytes > kMostFrameBytes || notes.number <= run.taken ||
      notes.number - run.taken > (std::uint64_t{1} << 40U)) {
    lose("its process wrote nonsense (a frame of " + std::to_string(notes.width) + "x" +
             std::to_string(notes.height) + ", number " + std::to_string(notes.number) + ")",
         now);
    return false;
  }
  dropped_ += notes.number - run.taken - 1;
  run.taken = notes.number;
  if (run.first_frame < 0.0) run.first_frame = now;
  run.heard = now;
  frame.view = {};
  frame.view.format = PixelFormat::kBgr;
  frame.view.width = notes.width;
  frame.view.height = notes.height;
  frame.view.data = run.memory.pixels(slot);
  frame.view.stride = std::size_t{3} * notes.width;
  frame.number = handed_out_ = base_ + notes.number;
  const bool plausible = notes.captured_at <= now && notes.captured_at >= run.started;
  frame.captured_at = plausible ? notes.captured_at : now;
  frame.name.clear();
  trouble_.clear();
  return true;
}

Capture ProcessSource::capture(double deadline_seconds, SourceFrame& frame) {
  double now = steady_seconds();
  const double deadline = now + std::clamp(deadline_seconds, 0.0, 3600.0);
  for (;; now = steady_seconds()) {
    if (over_) return Capture::kEnd;
    const bool was_running = running_.has_value();
    if (!was_running && now >= retry_at_) {
      start(now);
      if (!running_) return Capture::kLost;
    }
    if (running_) {
      const std::optional<int> status =
          running_->child.ended();  // before the last frame is looked for
      if (!listen(now)) return Capture::kLost;
      if (take(now, frame)) return Capture::kFrame;
      if (!running_) return Capture::kLost;
      if (running_->ended) {
        over_ = true;
        continue;
      }
      if (status) {
        lose(how_it_ended(*status), now);
        return Capture::kLost;
      }
      if (now >= time_of_patience()) {
        const bool never = running_->first_frame < 0.0;
        lose(never ? (running_->opened ? "it opened, but gave no picture within "
                                       : "it did not open within ") +
                         in_seconds(program_.times.opening)
                   : "it has given no picture for " + in_seconds(program_.times.silence),
             now);
        return Capture::kLost;
      }
    }
    if (now >= deadline) return trouble_.empty() ? Capture::kTimeout : Capture::kLost;
    if (running_) {
      running_->child.wait(std::min(std::min(deadline, time_of_patience()) - now, kBeginning));
    } else {
      std::this_thread::sleep_for(
          std::chrono::duration<double>(std::max(std::min(deadline, retry_at_) - now, 0.0)));
    }
  }
}

std::string ProcessSource::message() const {
  if (trouble_.empty()) return {};
  const double left = retry_at_ - steady_seconds();
  const std::string next = running_ || left <= 0.0
                               ? "; trying again"
                               : "; trying again in " + in_seconds(std::ceil(left));
  return uri_.shown + ": " + trouble_ + next;
}

}  // namespace jackdaw::live
