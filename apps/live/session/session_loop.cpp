// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The frame loop: capture, answer, teach, publish.
#include <algorithm>
#include <cmath>
#include <string>

#include "jackdaw/log.hpp"
#include "live/session/process.hpp"
#include "live/session/session.hpp"
#include "live/steady_clock.hpp"

namespace jackdaw::live {
namespace {

constexpr double kWaitForFrame = 0.05;     // seconds; how long an errand may wait, too
constexpr double kGlanceForFrame = 0.001;  // while variations are waiting
constexpr double kSpare = 0.002;           // before the next frame is due
constexpr double kStateEvery = 0.1;        // at most, while something changes
constexpr double kStateAtLeastEvery = 1.0;
constexpr double kCheckEvery = 0.5;  // disk, memory

}  // namespace

void Session::run() {
  while (!stopping_.load()) {
    try {
      turn();
    } catch (const std::exception& error) {  // no memory, say; the next frame may go better
      log(LogLevel::kError, std::string("the frame loop: ") + error.what());
      sleep_seconds(kWaitForFrame);
    }
    turns_.fetch_add(1);
  }
  errands_.close();
}

void Session::turn() {
  errands_.run();
  if (!room_.ready()) return wait_for_the_learner();
  const double begun = steady_seconds();
  SourceFrame frame;
  const bool pending = room_.variations_pending();
  const Capture capture = ended_.load()
                              ? Capture::kEnd
                              : source_->capture(pending ? kGlanceForFrame : kWaitForFrame, frame);
  switch (capture) {
    case Capture::kFrame:
      on_frame(frame, steady_seconds() - begun);
      break;
    case Capture::kTimeout:
      if (!source_->message().empty()) set_source_status(shown_.source_status, source_->message());
      break;
    case Capture::kLost:
      set_source_status(SourceStatus::kLost, source_->message());
      break;
    case Capture::kEnd:
      set_source_status(SourceStatus::kEnded, source_->message());
      if (!pending) ended_.store(true);
      if (!pending) sleep_seconds(kWaitForFrame);
      break;
  }
  teach_variations();
  if (!room_.ready()) return;  // the GPU failed, and the CPU could not go on at once
  const double now = steady_seconds();
  durable_.store(room_.learner().durable_sequence());
  if (teaching_ && now > teaching_->until) {
    teaching_.reset();
    state_changed_ = true;
  }
  const double since = now - state_published_;
  if ((state_changed_ && since >= kStateEvery) || since >= kStateAtLeastEvery) publish_state(now);
}

void Session::wait_for_the_learner() {
  constexpr double kPause = 1.0;
  shown_.problems = {{"state", true, "What was learned cannot be opened: " + room_.fault()}};
  board_.publish(shown_);
  for (double slept = 0.0; slept < kPause && !stopping_.load() && !errands_.waiting();
       slept += kWaitForFrame) {
    sleep_seconds(kWaitForFrame);
  }
  room_.reopen();
  state_changed_ = true;
}

FrameView Session::in_region(const FrameView& frame) const {
  if (!shown_.region) return frame;
  const auto cut = [](double at, double length, std::uint32_t side) {
    const auto first = static_cast<std::uint32_t>(std::floor(at * side));
    const auto count = static_cast<std::uint32_t>(std::lround(length * side));
    const std::uint32_t start = std::min(first, side - 1);
    return std::pair{start, std::clamp(count, 1U, side - start)};
  };
  const auto [x, width] = cut(shown_.region->x, shown_.region->width, frame.width);
  const auto [y, height] = cut(shown_.region->y, shown_.region->height, frame.height);
  FrameView part = frame;
  part.width = width;
  part.height = height;
  part.data = frame.data + y * frame.stride + std::size_t{3} * x;
  return part;
}

void Session::on_frame(const SourceFrame& frame, double waited) {
  const double now = steady_seconds();
  capture_.add(waited);
  if (last_frame_at_ > 0.0) period_.add(now - last_frame_at_);
  last_frame_at_ = now;
  const std::uint64_t new_frames = frame.number > last_number_ ? frame.number - last_number_ : 1;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(new_frames, 16); ++i) captured_.tick(now);
  last_number_ = frame.number;
  shown_.width = frame.view.width;
  shown_.height = frame.view.height;
  viewfinder_.show(frame.view, frame.number, now);

  const bool frozen = options_.camera && frozen_.same_again(frame.view, now);
  set_source_status(frozen ? SourceStatus::kFrozen : SourceStatus::kRunning, source_->message());
  moment_.taught = false;
  const FrameView view = in_region(frame.view);
  const Status status = room_.look(view, now);
  if (status == Status::kOk) {
    preprocess_.add(room_.times().preprocess);
    encode_.add(room_.times().encode);
    answer_.add(room_.times().answer);
    answered_.tick(now);
    ++moment_.answered;
    if (!frozen && !exchanging_) {
      if (options_.teach_names) {
        teach_by_name(view, frame);
      } else if (teaching_) {
        teach_frame(view, frame);
      }
    }
  } else {
    ++moment_.bad_frames;
    failed_encoding_ = now;
    last_failure_ = status;
  }
  publish_moment(frame, steady_seconds());
}

void Session::teach_frame(const FrameView& frame, const SourceFrame& from) {
  Status status = room_.teach_last(frame, from.number, teaching_->burst);
  // Pictures of a folder can wait for the disk; a camera's cannot.
  while (status == Status::kJournalBehind && options_.teach_names && !stopping_.load()) {
    static_cast<void>(room_.learner().flush(1.0));
    status = room_.teach_last(frame, from.number, teaching_->burst);
  }
  if (status != Status::kOk) {
    if (status == Status::kNoSuchClass) teaching_.reset();
    count_missed();
    return;
  }
  teach_.add(room_.times().teach);
  moment_.taught = true;
  state_changed_ = true;
  if (recorder_) {
    const Card* const card = room_.cards().find(teaching_->class_id);
    if (card != nullptr) recorder_->keep(frame, card->name);
  }
}

void Session::count_missed() {
  ++missed_;
  missed_at_ = steady_seconds();
  state_changed_ = true;
}

void Session::teach_by_name(const FrameView& frame, const SourceFrame& from) {
  if (from.name.empty()) return;
  if (room_.cards().of_name(from.name) == nullptr) {
    if (const Reply made = room_.add_class(from.name); made.outcome != Outcome::kOk) {
      log(LogLevel::kError, from.name + ": " + made.message);
      count_missed();
      return;
    }
  }
  const std::uint32_t id = room_.cards().of_name(from.name)->id;
  if (!teaching_ || teaching_->class_id != id) {
    teaching_ = Teaching{id, room_.begin_burst(id).id, 0.0};
  }
  teaching_->until = steady_seconds() + 1.0;
  teach_frame(frame, from);
}

void Session::teach_variations() {
  // Pictures from a folder wait for us; a camera does not.
  const bool all = options_.teach_names;
  bool first = true;
  while (!stopping_.load() && room_.variations_pending()) {
    const double begun = steady_seconds();
    const double due = last_frame_at_ + period_.value() - kSpare;
    if (!all && !first && begun + variation_.value() > due) break;
    if (!room_.teach_variation()) {
      sleep_seconds(kSpare);  // the disk; there is no hurry
      break;
    }
    variation_.add(steady_seconds() - begun);
    state_changed_ = true;
    first = false;
  }
}

void Session::set_source_status(SourceStatus status, const std::string& message) {
  if (shown_.source_status == status && shown_.source_message == message) return;
  if (status == SourceStatus::kLost || status == SourceStatus::kFrozen) teaching_.reset();
  shown_.source_status = status;
  shown_.source_message = message;
  state_changed_ = true;
}

void Session::fill_answer(Moment& moment) const {
  const Answer& raw = room_.answer();
  moment.raw = raw.unknown || raw.ranked.empty()
                   ? Guess{0, "", static_cast<double>(raw.unknown_confidence)}
                   : room_.guess(raw.best().slot, static_cast<double>(raw.best().confidence));
  moment.unknown = room_.smoothing().unknown();
  moment.ranked.clear();
  for (const SmoothedClass& entry : ranked_) {
    moment.ranked.push_back(room_.guess(entry.slot, entry.confidence));
  }
  moment.answer = Guess{0, "", moment.unknown};
  if (!moment.ranked.empty() && moment.ranked.front().confidence > moment.unknown) {
    moment.answer = moment.ranked.front();
  }
}

void Session::publish_moment(const SourceFrame& frame, double now) {
  constexpr std::size_t kMostRanked = 8;
  room_.smoothing().rank(kMostRanked, ranked_);
  moment_.frame = frame.number;
  fill_answer(moment_);
  moment_.captured_rate = captured_.rate(now);
  moment_.answered_rate = answered_.rate(now);
  moment_.milliseconds = {1e3 * capture_.value(), 1e3 * preprocess_.value(), 1e3 * encode_.value(),
                          1e3 * answer_.value(), 1e3 * teach_.value()};
  moment_.dropped = source_->dropped();
  moment_.dropped_variations = room_.dropped_variations();
  moment_.lessons = room_.lessons();
  board_.publish(moment_);
}

void Session::publish_state(double now) {
  if (now - checked_ >= kCheckEvery) {
    checked_ = now;
    disk_problem_ = room_.learner().statistics().problem;
    shown_.resident_bytes = resident_bytes();
  }
  room_.cards().follow(room_.learner().classes());
  room_.describe(shown_);
  shown_.source_uri = source_->uri();
  shown_.record_folder = options_.record_folder;
  shown_.teaching.reset();
  if (teaching_) shown_.teaching = teaching_->class_id;
  list_problems(now);
  {
    const std::lock_guard<std::mutex> lock(thumbnails_mutex_);
    thumbnails_.clear();
    for (const Card& card : room_.cards().all()) thumbnails_.emplace_back(card.id, card.thumbnail);
  }
  board_.publish(shown_);
  state_published_ = now;
  // A burst becomes durable a moment after its last lesson: look again until it has.
  state_changed_ = std::any_of(shown_.bursts.begin(), shown_.bursts.end(),
                               [](const Burst& b) { return !b.durable; });
}

void Session::list_problems(double now) {
  constexpr double kRecent = 2.0, kMissedFor = 10.0;  // seconds
  std::vector<Problem>& problems = shown_.problems;
  problems.clear();
  const std::string& message = shown_.source_message;
  if (shown_.source_status == SourceStatus::kLost) {
    problems.push_back(
        {"camera-lost", true, message.empty() ? "The camera does not answer." : message});
  } else if (shown_.source_status == SourceStatus::kFrozen) {
    problems.push_back({"camera-frozen", true,
                        "The camera shows the same picture again and again; nothing is learned "
                        "from it. Unplug it and plug it in again."});
  } else if (shown_.source_status == SourceStatus::kEnded) {
    problems.push_back({"source-ended", false, "The source is at its end."});
  } else if (!message.empty()) {
    problems.push_back({"source", false, message});
  }
  if (now - failed_encoding_ < kRecent) {
    problems.push_back(
        {"encoder", true,
         std::string("Frames cannot be answered: ") + jackdaw::describe(last_failure_)});
  }
  if (!disk_problem_.empty()) {
    problems.push_back(
        {"disk", true, "What is taught now may be lost when the power fails: " + disk_problem_});
  }
  if (now - missed_at_ < kMissedFor) {
    problems.push_back({"not-taught", true,
                        std::to_string(missed_) + " frames could not be taught so far; the disk "
                                                  "does not keep up, or the class is full."});
  }
  if (recorder_ && recorder_->problem().empty() && recorder_->left_out() > 0) {
    problems.push_back({"record", false,
                        std::to_string(recorder_->left_out()) +
                            " taught pictures were not kept in " + options_.record_folder +
                            ": the disk does not keep up."});
  }
  if (recorder_ && !recorder_->problem().empty()) {
    problems.push_back({"record", false, recorder_->problem()});
  }
  if (exchanging_) problems.push_back({"exchanging", false, "A state file is being taken in."});
}

}  // namespace jackdaw::live
