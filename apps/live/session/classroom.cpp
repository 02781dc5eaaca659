// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/session/classroom.hpp"

#include <opencv2/imgproc.hpp>

#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"
#include "live/session/viewfinder.hpp"

namespace jackdaw::live {
namespace {

constexpr int kThumbnailWidth = 160, kThumbnailQuality = 85;

Reply no_class(std::uint32_t id) {
  return {Outcome::kNotFound, "There is no class " + std::to_string(id) + "."};
}

Reply no_burst(std::uint64_t id) {
  return {Outcome::kNotFound,
          id == 0 ? "Nothing was taught that could be taken back."
                  : "There is no burst " + std::to_string(id) + " that could still be changed."};
}

}  // namespace

Classroom::Classroom(const ClassroomOptions& options, std::unique_ptr<Encoder> encoder)
    : options_(options),
      store_(options.state_folder),
      encoder_(std::move(encoder)),
      cards_(store_.thumbnail_folder()),
      smoothing_(options.max_classes),
      variations_(options.variations),
      device_(options.device) {
  open(device_);
  cards_.load_thumbnails();
}

LearnerSettings Classroom::settings() const {
  LearnerSettings s;
  s.ensemble.dimensions = encoder_->manifest().output_size;
  s.ensemble.max_classes = options_.max_classes;
  s.ensemble.undo_depth = kUndoDepth;
  s.encoder = encoder_hash(encoder_->manifest());
  s.folder = store_.learner_folder();
  s.answer.unknown_below = options_.unknown_below;
  return s;
}

void Classroom::open(Device device) {
  pipeline_.reset();
  learner_.reset();
  LearnerSettings s = settings();
  s.device = device;
  learner_.emplace(s);
  pipeline_.emplace(*encoder_, *learner_);
  answer_ = learner_->make_answer();
  unused_answer_ = learner_->make_answer();
  smoothing_.clear();
  const std::vector<ClassInfo> classes = learner_->classes();
  cards_.follow(classes);
  bursts_.recover(learner_->recent(), classes, 1 + variations_.count());
}

void Classroom::reopen() noexcept {
  try {
    open(device_);
    fault_.clear();
  } catch (const std::exception& error) {
    pipeline_.reset();
    learner_.reset();
    fault_ = error.what();
    log(LogLevel::kError, "what was learned cannot be opened, trying again: " + fault_);
  }
}

// --- frames ------------------------------------------------------------------------------------

Status Classroom::look(const FrameView& frame, double now) {
  const Status status = pipeline_->answer(frame, answer_, times_);
  if (status == Status::kOk) smoothing_.add(answer_, now);
  if (status == Status::kDeviceFailed && !held_) {
    log(LogLevel::kError,
        "the GPU failed; going on with the CPU, nothing that was learned is lost");
    device_ = Device::kCpu;
    reopen();
  }
  return status;
}

Status Classroom::ask_about(const FrameView& frame, Moment& moment) {
  constexpr std::size_t kMostRanked = 8;
  StageTimes times;
  const Status status = pipeline_->answer(frame, unused_answer_, times);
  if (status != Status::kOk) return status;
  moment = {};
  moment.unknown = static_cast<double>(unused_answer_.unknown_confidence);
  for (const RankedLabel& ranked : unused_answer_.ranked) {
    if (moment.ranked.size() == kMostRanked) break;
    moment.ranked.push_back(guess(ranked.slot, static_cast<double>(ranked.confidence)));
  }
  moment.answer = unused_answer_.unknown ? Guess{0, "", moment.unknown} : moment.ranked.front();
  moment.raw = moment.answer;
  moment.milliseconds = {0.0, 1e3 * times.preprocess, 1e3 * times.encode, 1e3 * times.answer, 0.0};
  return status;
}

Guess Classroom::guess(std::uint32_t slot, double confidence) const {
  const Card* const card = cards_.of_slot(slot);
  return card == nullptr ? Guess{0, "", confidence} : Guess{card->id, card->name, confidence};
}

// --- teaching ----------------------------------------------------------------------------------

Reply Classroom::begin_burst(std::uint32_t class_id) {
  const Card* const card = cards_.find(class_id);
  if (card == nullptr) return no_class(class_id);
  return {Outcome::kOk, "", bursts_.begin(card->slot).id};
}

void Classroom::drop_empty_burst(std::uint64_t id) {
  const BurstRecord* const burst = bursts_.find(id);
  if (burst != nullptr && burst->lessons == 0) bursts_.remove(id);
}

Status Classroom::teach(const Card& card, BurstRecord& burst) {
  const Status status = pipeline_->teach(card.name, times_);
  if (status != Status::kOk) return status;
  bursts_.add_lesson(burst, learner_->last_sequence());
  ++lessons_;
  return status;
}

Status Classroom::teach_last(const FrameView& frame, std::uint64_t number, std::uint64_t burst_id) {
  BurstRecord* const burst = bursts_.find(burst_id);
  const Card* const card = burst == nullptr ? nullptr : cards_.of_slot(burst->slot);
  if (card == nullptr) return Status::kNoSuchClass;
  if (const Status status = teach(*card, *burst); status != Status::kOk) return status;
  ++burst->frames;
  if (card->thumbnail == nullptr) {
    cards_.set_thumbnail(card->slot, to_jpeg(as_mat(frame), kThumbnailWidth, kThumbnailQuality));
  }
  if (variations_.count() == 0) return Status::kOk;
  if (queue_.push(frame, number, burst_id, burst->slot)) {
    burst->pending += variations_.count();
  } else {
    dropped_variations_ += variations_.count();
  }
  return Status::kOk;
}

bool Classroom::teach_variation() {
  PendingPicture* const next = queue_.front();
  if (next == nullptr) return false;
  BurstRecord* const burst = bursts_.find(next->burst);
  const Card* const card = cards_.of_slot(next->slot);
  if (burst == nullptr || card == nullptr) {
    queue_.pop();
    return true;
  }
  Status status = variations_.make(next->picture, next->number, next->next, varied_);
  if (status == Status::kOk) {
    status = pipeline_->answer(varied_.view(), unused_answer_, unused_times_);
  }
  if (status == Status::kOk) status = teach(*card, *burst);
  if (status == Status::kJournalBehind) return false;  // the disk; later
  if (status != Status::kOk) ++dropped_variations_;
  if (burst->pending > 0) --burst->pending;
  if (++next->next >= variations_.count()) queue_.pop();
  return true;
}

void Classroom::drop_pending() {
  queue_.clear();
  bursts_.drop_pending();
}

// --- changing one's mind -----------------------------------------------------------------------

Reply Classroom::refused(Status status, const std::string& what) const {
  switch (status) {
    case Status::kOk:
      return {};
    case Status::kBadLabel:
      return {Outcome::kBadRequest, "\"" + what +
                                        "\" cannot be a name: 1 to 63 bytes of text, and no class "
                                        "may have it already."};
    case Status::kNoClassFree:
      return {Outcome::kFull,
              "All " + std::to_string(options_.max_classes) +
                  " classes are in use; forget one, or start with more (--classes)."};
    case Status::kNothingToUndo:
      return {Outcome::kConflict, "That is too long ago to be changed exactly."};
    case Status::kNoSuchClass:
      return {Outcome::kNotFound, "There is no such class."};
    case Status::kJournalBehind:
      return {Outcome::kBusy, "The disk cannot keep up; try again."};
    default:
      return {Outcome::kFailed, jackdaw::describe(status)};
  }
}

Reply Classroom::add_class(const std::string& name) {
  if (cards_.of_name(name) != nullptr) {
    return {Outcome::kConflict, "There is a class \"" + name + "\" already."};
  }
  if (const Status s = learner_->add_class(name); s != Status::kOk) return refused(s, name);
  cards_.follow(learner_->classes());
  const Card* const card = cards_.of_name(name);
  return {Outcome::kOk, "", card == nullptr ? 0 : card->id};
}

Reply Classroom::rename(std::uint32_t class_id, const std::string& name) {
  const Card* const card = cards_.find(class_id);
  if (card == nullptr) return no_class(class_id);
  if (card->name == name) return {};
  if (cards_.of_name(name) != nullptr) {
    return {Outcome::kConflict, "There is a class \"" + name + "\" already."};
  }
  if (const Status s = learner_->rename(card->name, name); s != Status::kOk)
    return refused(s, name);
  cards_.follow(learner_->classes());
  return {Outcome::kOk, "", class_id};
}

Reply Classroom::forget(std::uint32_t class_id) {
  const Card* const card = cards_.find(class_id);
  if (card == nullptr) return no_class(class_id);
  const std::uint32_t slot = card->slot;
  if (const Status s = learner_->forget(card->name); s != Status::kOk) {
    return refused(s, card->name);
  }
  queue_.drop_slot(slot);
  bursts_.remove_slot(slot);
  smoothing_.forget(slot);
  cards_.follow(learner_->classes());
  return {Outcome::kOk, "", class_id};
}

Reply Classroom::undo(std::uint64_t id) {
  BurstRecord* const burst = id == 0 ? bursts_.newest() : bursts_.find(id);
  if (burst == nullptr) return no_burst(id);
  if (!undoable(*burst)) return refused(Status::kNothingToUndo, "");
  queue_.drop_burst(burst->id);
  burst->pending = 0;
  for (auto range = burst->ranges.rbegin(); range != burst->ranges.rend(); ++range) {
    const Status s = learner_->undo_range(range->first, range->last);
    // What has left the undo ring stays taught; the rest is taken back.
    if (s != Status::kOk && s != Status::kNothingToUndo) return refused(s, "");
  }
  const std::uint64_t undone = burst->id;
  bursts_.remove(undone);
  cards_.follow(learner_->classes());
  return {Outcome::kOk, "", undone};
}

Reply Classroom::move(std::uint64_t id, std::uint32_t class_id) {
  BurstRecord* const burst = bursts_.find(id);
  if (burst == nullptr) return no_burst(id);
  const Card* const card = cards_.find(class_id);
  if (card == nullptr) return no_class(class_id);
  if (!undoable(*burst)) return refused(Status::kNothingToUndo, "");
  for (const LessonRange& range : burst->ranges) {
    const Status s = learner_->move_range(range.first, range.last, card->name);
    if (s != Status::kOk && s != Status::kNothingToUndo) return refused(s, card->name);
  }
  burst->slot = card->slot;
  queue_.move_burst(id, card->slot);
  cards_.follow(learner_->classes());
  return {Outcome::kOk, "", id};
}

// --- state files -------------------------------------------------------------------------------

Reply Classroom::reopen_exchanged() {
  pipeline_.reset();
  learner_.reset();
  std::string before;
  try {
    before = store_.exchange();
  } catch (const std::exception& error) {
    reopen();
    return {Outcome::kFailed, error.what()};
  }
  try {
    open(device_);
  } catch (const std::exception& error) {
    Reply reply{Outcome::kConflict, error.what()};
    try {
      pipeline_.reset();
      learner_.reset();
      store_.exchange_back(before);
    } catch (const std::exception& worse) {
      reply = {Outcome::kFailed,
               reply.message + " What was there before is in " + before + ": " + worse.what()};
    }
    reopen();
    return reply;
  }
  cards_.clear();  // its pictures are of other classes
  cards_.follow(learner_->classes());
  bursts_.clear();
  store_.prune_backups();
  return {};
}

// --- looking -----------------------------------------------------------------------------------

bool Classroom::undoable(const BurstRecord& burst) const {
  std::uint64_t since = 0;
  for (const BurstRecord& other : bursts_.all()) {
    if (other.id >= burst.id) since += other.lessons;
  }
  return since < kUndoDepth;
}

void Classroom::describe(State& state) const {
  state.encoder = encoder_->manifest().name;
  state.encoder_backend = encoder_->backend();
  state.learner_backend = learner_->ensemble().backend();
  state.max_classes = options_.max_classes;
  state.state_folder = options_.state_folder;
  state.planned_bytes = learner_->ensemble().plan().total_bytes;
  state.classes.clear();
  const std::int64_t a_picture = 1 + static_cast<std::int64_t>(variations_.count());
  for (const Card& card : cards_.all()) {
    state.classes.push_back({card.id, card.name, (card.lessons + a_picture - 1) / a_picture,
                             card.lessons, card.thumbnail_version});
  }
  state.bursts.clear();
  const std::uint64_t durable = learner_->durable_sequence();
  for (const BurstRecord& burst : bursts_.all()) {
    const Card* const card = cards_.of_slot(burst.slot);
    if (card == nullptr || burst.lessons == 0) continue;
    state.bursts.push_back({burst.id, card->id, burst.frames, burst.lessons, burst.pending,
                            burst.pending == 0 && durable >= burst.last(), undoable(burst)});
  }
}

}  // namespace jackdaw::live
