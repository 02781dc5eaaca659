// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Changes: each is checked, journalled and then applied; from the journal on it cannot fail.
#include "learner/learner_core.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "core/store_view.hpp"
#include "learner/answer.hpp"

namespace jackdaw {
namespace {

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

}  // namespace

Learner::Core::Core(const LearnerSettings& settings, std::unique_ptr<Ensemble> ensemble)
    : settings_(settings),
      ensemble_(std::move(ensemble)),
      registry_(settings.ensemble.max_classes),
      recent_(ensemble_->undo_memory(), settings.ensemble.undo_depth, ensemble_->example_bytes()),
      contexts_(settings.ensemble.contexts * ensemble_->example_bytes()),
      example_(ensemble_->example_bytes()),
      payload_(most_event_bytes(ensemble_->example_bytes(), sums_bytes())),
      sums_(sums_bytes() / sizeof(std::int32_t)),
      uids_(random_seed()),
      refresher_(*ensemble_, settings.refresh_in_background) {
  none_.slots.assign(settings.ensemble.max_classes, 0);
  loaded_ = none_;
}

Learner::Core::~Core() = default;

std::size_t Learner::Core::sums_bytes() const noexcept {
  return settings_.ensemble.profile == Profile::kSeed
             ? 0
             : padded(settings_.ensemble.dimensions) * sizeof(std::int32_t);
}

// --- the frame path ----------------------------------------------------------------------------

Status Learner::Core::teach(Span<const float> embedding, std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  if (const Status s = ensemble_->admit(embedding, example_); s != Status::kOk) return s;
  return teach_example(label);
}

Status Learner::Core::teach(const DeviceEmbedding& embedding, std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  if (const Status s = ensemble_->admit_on_device(embedding, example_); s != Status::kOk) return s;
  return teach_example(label);
}

Status Learner::Core::teach_example(std::string_view label) noexcept {
  const bool known = registry_.find(Label(label)) != Registry::kNone;
  Event event;
  if (const Status s = find_or_open(label, event.slot); s != Status::kOk) return s;
  event.kind = EventKind::kTeach;
  event.example = example_;
  Status status = ensemble_->check(example_, event.slot);
  if (status == Status::kOk) status = commit(event);
  if (status != Status::kOk && !known) static_cast<void>(close(event.slot));
  return status;
}

Status Learner::Core::begin(Answer& answer, std::uint32_t context) const noexcept {
  clear(answer);  // nothing of the answer before, whatever happens
  const bool fits =
      context < settings_.ensemble.contexts &&
      answer.scores.size() == settings_.ensemble.max_classes &&
      answer.ranked.capacity() >= settings_.ensemble.max_classes;  // a copy may have lost its room
  return fits ? Status::kOk : Status::kWrongSize;
}

void Learner::Core::finish(Answer& answer) const noexcept {
  // The paper's scores are in units of the learning rate; they are no calibrated logits.
  const bool seed = settings_.ensemble.profile == Profile::kSeed;
  const float scale = seed ? 1.0F / settings_.ensemble.seed_rule.learning_rate : 1.0F;
  const std::shared_lock<std::shared_mutex> names(naming_);
  fill_answer(registry_, settings_.answer, scale, !seed, answer);
}

Status Learner::Core::predict(Span<const float> embedding, Answer& answer,
                              std::uint32_t context) noexcept {
  if (const Status s = begin(answer, context); s != Status::kOk) return s;
  const std::size_t bytes = ensemble_->example_bytes();
  const Span<std::byte> example = Span<std::byte>(contexts_).subspan(context * bytes, bytes);
  if (const Status s = ensemble_->admit(embedding, example); s != Status::kOk) return s;
  if (const Status s = ensemble_->predict(context, example, answer.scores); s != Status::kOk)
    return s;
  finish(answer);
  return Status::kOk;
}

Status Learner::Core::predict(const DeviceEmbedding& embedding, Answer& answer,
                              std::uint32_t context) noexcept {
  if (const Status s = begin(answer, context); s != Status::kOk) return s;
  const Status s = ensemble_->predict_on_device(context, embedding, answer.scores);
  if (s == Status::kOk) finish(answer);
  return s;
}

// --- changing one's mind -----------------------------------------------------------------------

std::uint64_t Learner::Core::sequence_of_last(std::uint32_t examples) const noexcept {
  return recent_.at(examples - 1).sequence;
}

// Calls change(age, entry) for each example with a number from first to last, newest first.
template <class Change>
Status Learner::Core::change_recent(std::uint64_t first, std::uint64_t last,
                                    const Change& change) noexcept {
  bool any = false;
  for (std::uint32_t age = 0; age < recent_.size();) {
    const UndoRing::Entry entry = recent_.at(age);
    if (entry.sequence < first || entry.sequence > last) {
      ++age;
      continue;
    }
    any = true;
    const std::uint32_t before = recent_.size();
    if (const Status s = change(entry); s != Status::kOk) return s;
    if (recent_.size() == before) ++age;  // otherwise the next one took this place
  }
  return any ? Status::kOk : Status::kNothingToUndo;
}

Status Learner::Core::undo(std::uint32_t examples) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  if (examples == 0 || examples > recent_.size()) return Status::kNothingToUndo;
  return unteach(sequence_of_last(examples), UINT64_MAX);
}

Status Learner::Core::undo_range(std::uint64_t first, std::uint64_t last) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  return unteach(first, last);
}

Status Learner::Core::unteach(std::uint64_t first, std::uint64_t last) noexcept {
  return change_recent(first, last, [&](const UndoRing::Entry& entry) {
    std::copy(entry.example.begin(), entry.example.end(), example_.begin());
    Event event;
    event.kind = EventKind::kUnteach;
    event.slot = entry.slot;
    event.taught = entry.sequence;
    event.example = example_;
    return commit(event);
  });
}

Status Learner::Core::move(std::uint32_t examples, std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  if (examples == 0 || examples > recent_.size()) return Status::kNothingToUndo;
  return relabel(sequence_of_last(examples), UINT64_MAX, label);
}

Status Learner::Core::move_range(std::uint64_t first, std::uint64_t last,
                                 std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  // First of all, is there anything to move? Otherwise no class must be opened for it.
  const auto leave = [](const UndoRing::Entry&) { return Status::kOk; };
  if (const Status s = change_recent(first, last, leave); s != Status::kOk) return s;
  return relabel(first, last, label);
}

Status Learner::Core::relabel(std::uint64_t first, std::uint64_t last,
                              std::string_view label) noexcept {
  std::uint32_t target = 0;
  if (const Status s = find_or_open(label, target); s != Status::kOk) return s;
  return change_recent(first, last, [&](const UndoRing::Entry& entry) {
    if (entry.slot == target) return Status::kOk;
    std::copy(entry.example.begin(), entry.example.end(), example_.begin());
    Event event;
    event.kind = EventKind::kMove;
    event.slot = entry.slot;
    event.target = target;
    event.taught = entry.sequence;
    event.example = example_;
    return commit(event);
  });
}

Status Learner::Core::add_class(std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  const Label name(label);
  if (name.empty() || registry_.find(name) != Registry::kNone) return Status::kBadLabel;
  std::uint32_t slot = 0;
  return open(name, slot);
}

Status Learner::Core::forget(std::string_view label) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  const std::uint32_t slot = registry_.find(Label(label));
  return slot == Registry::kNone ? Status::kNoSuchClass : close(slot);
}

Status Learner::Core::close(std::uint32_t slot) noexcept {
  Event event;
  event.kind = EventKind::kClose;
  event.slot = slot;
  event.count = ensemble_->class_count(event.slot);
  if (const Status s = ensemble_->class_sums(event.slot, sums_); s != Status::kOk) return s;
  event.sums = {reinterpret_cast<const std::byte*>(sums_.data()),
                sums_.size() * sizeof(std::int32_t)};
  return commit(event);
}

Status Learner::Core::rename(std::string_view label, std::string_view to) noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  Event event;
  event.kind = EventKind::kRename;
  event.label = Label(to);
  event.slot = registry_.find(Label(label));
  if (event.slot == Registry::kNone) return Status::kNoSuchClass;
  if (event.label.empty() || registry_.find(event.label) != Registry::kNone)
    return Status::kBadLabel;
  return commit(event);
}

Status Learner::Core::find_or_open(std::string_view text, std::uint32_t& slot) noexcept {
  const Label label(text);
  if (label.empty()) return Status::kBadLabel;
  slot = registry_.find(label);
  return slot != Registry::kNone ? Status::kOk : open(label, slot);
}

Status Learner::Core::open(const Label& label, std::uint32_t& slot) noexcept {
  Event event;
  event.kind = EventKind::kOpen;
  event.slot = registry_.free_slot();
  if (event.slot == Registry::kNone) return Status::kNoClassFree;
  event.label = label;
  event.uid = uids_.bits();
  slot = event.slot;
  return commit(event);
}

// --- looking -----------------------------------------------------------------------------------

std::vector<ClassInfo> Learner::Core::classes() const {
  const std::lock_guard<std::mutex> lock(changing_);
  std::vector<ClassInfo> all;
  for (std::uint32_t slot = 0; slot < registry_.slots(); ++slot) {
    if (!registry_.used(slot)) continue;
    all.push_back({registry_.at(slot).label, slot, ensemble_->class_count(slot),
                   ensemble_->class_clipped(slot)});
  }
  return all;
}

std::vector<RecentExample> Learner::Core::recent() const {
  const std::lock_guard<std::mutex> lock(changing_);
  std::vector<RecentExample> all;
  for (std::uint32_t age = recent_.size(); age-- > 0;) {
    const UndoRing::Entry entry = recent_.at(age);
    all.push_back({entry.sequence, registry_.at(entry.slot).label});
  }
  return all;
}

LearnerStatistics Learner::Core::statistics() const {
  LearnerStatistics result;
  for (const ClassInfo& info : classes())
    result.examples += static_cast<std::uint64_t>(info.examples);
  const std::lock_guard<std::mutex> lock(changing_);
  result.last_sequence = last_sequence_;
  result.durable_sequence = folder_ ? folder_->acknowledged() : 0;
  result.problem = folder_ ? folder_->problem() : "";
  result.refreshes = refresher_.count();
  result.last_refresh_seconds = refresher_.last_seconds();
  result.backend = ensemble_->backend();
  return result;
}

std::uint64_t Learner::Core::last_sequence() const noexcept {
  const std::lock_guard<std::mutex> lock(changing_);
  return last_sequence_;
}

// --- one change --------------------------------------------------------------------------------

Status Learner::Core::commit(const Event& event) noexcept {
  std::uint64_t sequence = last_sequence_ + 1;
  if (folder_) {
    const std::size_t bytes = encode(event, payload_);
    const state::Appended appended = folder_->append(static_cast<std::uint8_t>(event.kind),
                                                     Span<const std::byte>(payload_).first(bytes));
    if (appended.status != Status::kOk) return appended.status;
    sequence = appended.sequence;
  }
  last_sequence_ = sequence;
  const Status status = apply(sequence, event, none_);
  refresher_.taught();
  return status;
}

Status Learner::Core::apply(std::uint64_t sequence, const Event& event,
                            const Marks& marks) noexcept {
  if (const Status s = apply_to_ensemble(sequence, event, marks); s != Status::kOk) return s;
  if (sequence > marks.registry) apply_to_names(event);
  if (sequence > marks.recent) apply_to_recent(sequence, event);
  return Status::kOk;
}

Status Learner::Core::apply_to_ensemble(std::uint64_t sequence, const Event& event,
                                        const Marks& marks) noexcept {
  if (event.slot >= marks.slots.size() || event.target >= marks.slots.size()) {
    return Status::kNoSuchClass;
  }
  const bool of_class = sequence > marks.slots[event.slot];
  const bool shared = sequence > marks.shared;
  const bool any = of_class || shared;
  const Part part = of_class && shared ? Part::kBoth : of_class ? Part::kClass : Part::kShared;
  switch (event.kind) {
    case EventKind::kTeach:
      return any ? ensemble_->teach(event.example, event.slot, part) : Status::kOk;
    case EventKind::kUnteach:
      return any ? ensemble_->unteach(event.example, event.slot, part) : Status::kOk;
    case EventKind::kMove: {
      // The shared statistics do not change: the same example, another class.
      const Status from =
          of_class ? ensemble_->unteach(event.example, event.slot, Part::kClass) : Status::kOk;
      if (from != Status::kOk || sequence <= marks.slots[event.target]) return from;
      return ensemble_->teach(event.example, event.target, Part::kClass);
    }
    case EventKind::kOpen:
      return of_class ? ensemble_->open_slot(event.slot) : Status::kOk;
    case EventKind::kClose: {
      if (shared && !event.sums.empty()) {
        std::memcpy(sums_.data(), event.sums.data(), event.sums.size());
        if (const Status s = ensemble_->retire(sums_, event.count); s != Status::kOk) return s;
      }
      return of_class ? ensemble_->empty_slot(event.slot) : Status::kOk;
    }
    case EventKind::kRename:
    case EventKind::kTakenOver:
      return Status::kOk;
  }
  return Status::kOk;
}

void Learner::Core::apply_to_names(const Event& event) noexcept {
  const std::lock_guard<std::shared_mutex> names(naming_);
  if (event.kind == EventKind::kOpen) registry_.set(event.slot, event.label, event.uid);
  if (event.kind == EventKind::kRename) {
    registry_.set(event.slot, event.label, registry_.at(event.slot).uid);
  }
  if (event.kind == EventKind::kClose) registry_.clear(event.slot);
}

void Learner::Core::apply_to_recent(std::uint64_t sequence, const Event& event) noexcept {
  switch (event.kind) {
    case EventKind::kTeach:
      recent_.push(sequence, event.slot, event.example);
      break;
    case EventKind::kUnteach:
    case EventKind::kMove: {
      const std::uint32_t age = recent_.find(event.taught);
      if (age == recent_.size()) break;
      if (event.kind == EventKind::kMove) {
        recent_.relabel(age, event.target);
      } else {
        recent_.remove(age);
      }
      break;
    }
    case EventKind::kClose:
      recent_.remove_slot(event.slot);
      break;
    case EventKind::kOpen:
    case EventKind::kRename:
    case EventKind::kTakenOver:
      break;
  }
}

}  // namespace jackdaw
