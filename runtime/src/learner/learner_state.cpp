// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Saving and loading: what goes into which section, and which parts of a record are still to be
// done.
#include <algorithm>
#include <cstring>

#include "core/section.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/sha256.hpp"
#include "learner/learner_core.hpp"

namespace jackdaw {
namespace {

std::string name_of_section(state::SectionId section) {
  return "section " + std::to_string(section.type) + "/" + std::to_string(section.id);
}

// What only a device can do: refuse bytes that were found faultless.
void require(Status status) {
  if (status != Status::kOk) throw StateError(describe(status));
}

}  // namespace

// Whatever decides if two states mean the same: not how many classes or contexts there is room for.
state::Hash256 Learner::Core::identity() const {
  const EnsembleSettings& e = settings_.ensemble;
  Sha256 hash;
  hash.add("jackdaw state 1\n" + settings_.encoder + "\n");
  for (const std::uint64_t number :
       {std::uint64_t{static_cast<std::uint8_t>(e.profile)}, std::uint64_t{e.classifiers},
        std::uint64_t{e.nearest}, std::uint64_t{e.dimensions},
        std::uint64_t{static_cast<std::uint8_t>(e.store)},
        e.profile == Profile::kSeed ? e.seed : std::uint64_t{0},
        std::uint64_t{e.profile == Profile::kSeed && e.seed_rule.fan_in_of_paper}}) {
    hash.add(std::to_string(number) + "\n");
  }
  const float number =
      e.profile == Profile::kSeed ? e.seed_rule.learning_rate : e.default_rule.levels;
  hash.add(Span(reinterpret_cast<const std::byte*>(&number), sizeof(number)));
  hash.add(ensemble_->keys());
  return hash.finish();
}

std::size_t Learner::Core::largest_section_bytes() const {
  return std::max({registry_.most_bytes(), recent_.most_bytes(), ensemble_->class_section_bytes(),
                   ensemble_->shared_section_bytes(), settings_.keys.size(),
                   settings_to_json(settings_).size()});
}

std::uint64_t Learner::Core::list_sections(std::vector<state::SectionId>& out) {
  const std::lock_guard<std::mutex> lock(changing_);
  out.clear();
  out.push_back({kSettings, 0});
  out.push_back({kRegistry, 0});
  out.push_back({kRecent, 0});
  if (ensemble_->shared_section_bytes() != 0) out.push_back({kShared, 0});
  for (std::uint32_t slot = 0; slot < registry_.slots(); ++slot) {
    if (registry_.used(slot)) out.push_back({kClass, slot});
  }
  if (!settings_.keys.empty()) out.push_back({kKeys, 0});
  return last_sequence_;
}

state::SectionCopy Learner::Core::copy_section(state::SectionId section, Span<std::byte> out) {
  const std::lock_guard<std::mutex> lock(changing_);
  state::SectionCopy copy;
  copy.mark = last_sequence_;
  Status status = Status::kOk;
  switch (section.type) {
    case kSettings: {
      const std::string json = settings_to_json(settings_);
      copy.bytes = json.size();
      std::memcpy(out.data(), json.data(), json.size());
      break;
    }
    case kRegistry:
      copy.bytes = registry_.save(out);
      break;
    case kRecent:
      copy.bytes = recent_.save(out);
      break;
    case kShared:
      copy.bytes = ensemble_->shared_section_bytes();
      status = ensemble_->export_shared(out.first(copy.bytes));
      break;
    case kClass:
      if (!registry_.used(section.id)) break;  // forgotten since the list was made
      copy.bytes = ensemble_->class_section_bytes();
      status = ensemble_->export_class(section.id, out.first(copy.bytes));
      break;
    case kKeys:
      copy.bytes = settings_.keys.size();
      std::memcpy(out.data(), settings_.keys.data(), copy.bytes);
      break;
    default:
      break;
  }
  if (status != Status::kOk) throw StateError(name_of_section(section) + ": " + describe(status));
  return copy;
}

void Learner::Core::begin_load() {
  const std::lock_guard<std::mutex> lock(changing_);
  for (std::uint32_t slot = 0; slot < registry_.slots(); ++slot) {
    if (ensemble_->class_count(slot) >= 0) require(ensemble_->empty_slot(slot));
  }
  const std::vector<std::byte> nothing(ensemble_->shared_section_bytes());
  require(ensemble_->import_shared(nothing));
  registry_.clear();
  recent_.clear();
  last_sequence_ = 0;
  loaded_ = none_;
  saved_settings_ = false;
}

void Learner::Core::load_section(state::SectionId section, std::uint64_t mark,
                                 Span<const std::byte> content) {
  const std::lock_guard<std::mutex> lock(changing_);
  const char* fault = nullptr;
  switch (section.type) {
    case kSettings: {  // what matters of them is in the identity, which holds already
      const std::string ours = settings_to_json(settings_);
      saved_settings_ = content.size() == ours.size() &&
                        std::memcmp(content.data(), ours.data(), ours.size()) == 0;
      break;
    }
    case kKeys:
      break;  // in the identity
    case kRegistry:
      registry_.load(content);
      loaded_.registry = mark;
      break;
    case kRecent:
      recent_.load(content);
      loaded_.recent = mark;
      break;
    case kShared:
      fault = find_fault_in_shared(settings_.ensemble, content);
      if (fault == nullptr) require(ensemble_->import_shared(content));
      loaded_.shared = mark;
      break;
    case kClass:
      if (section.id >= loaded_.slots.size()) {
        throw state::DoesNotFit("the state holds more classes than the " +
                                std::to_string(loaded_.slots.size()) +
                                " planned for; start with more");
      }
      loaded_.slots[section.id] = mark;
      if (content.empty()) break;  // it was forgotten while the snapshot was taken
      fault = find_fault_in_class(settings_.ensemble, content);
      if (fault == nullptr) require(ensemble_->import_class(section.id, content));
      break;
    default:
      throw StateError(name_of_section(section) + " is of a kind that this version does not know");
  }
  if (fault != nullptr) throw StateError(name_of_section(section) + " cannot be right: " + fault);
}

void Learner::Core::replay(std::uint64_t sequence, std::uint8_t kind,
                           Span<const std::byte> payload) {
  const std::lock_guard<std::mutex> lock(changing_);
  const Event event = decode(kind, payload, example_.size(), sums_bytes());
  if (event.kind == EventKind::kTakenOver) {
    throw StateError("what was learned before it is in a snapshot that cannot be used");
  }
  if (event.slot >= loaded_.slots.size() || event.target >= loaded_.slots.size()) {
    throw state::DoesNotFit("the state holds more classes than the " +
                            std::to_string(loaded_.slots.size()) + " planned for; start with more");
  }
  if (settings_.ensemble.profile == Profile::kDefault &&
      std::find(event.example.begin(), event.example.end(), std::byte{0x80}) !=
          event.example.end()) {
    throw StateError("an example holds a number that was never quantised");
  }
  const Status status = apply(sequence, event, loaded_);
  if (status != Status::kOk) {
    throw StateError("record " + std::to_string(sequence) +
                     " cannot be applied: " + describe(status));
  }
  last_sequence_ = sequence;
}

void Learner::Core::end_load(std::uint64_t last) {
  {
    const std::lock_guard<std::mutex> lock(changing_);
    for (std::uint32_t slot = 0; slot < registry_.slots(); ++slot) {
      if (registry_.used(slot) != (ensemble_->class_count(slot) >= 0)) {
        throw StateError("the names and the classes do not match at slot " + std::to_string(slot));
      }
    }
    for (std::uint32_t age = 0; age < recent_.size(); ++age) {
      if (!registry_.used(recent_.at(age).slot)) {
        throw StateError("one of the last examples belongs to no class");
      }
    }
    last_sequence_ = last;
    loaded_ = none_;
  }
  static_cast<void>(refresher_.refresh_now());
}

void Learner::Core::open_folder() {
  static_cast<void>(settings_to_json(settings_));  // throws, if it does, before a folder is made
  folder_ = std::make_unique<state::StateFolder>(files_, settings_.folder, *this);
  // At once, so that the settings are on disk and the folder can be opened without knowing them.
  if (folder_->report().snapshot_generation == 0 &&
      !folder_->snapshot(std::chrono::seconds(10), true)) {
    throw StateError(settings_.folder + ": cannot save there: " + folder_->problem());
  }
  // Other settings than those on disk (room for more classes, say): records from now on may need
  // them. A full disk is no reason not to open; it will be tried again.
  if (!saved_settings_ && folder_->report().snapshot_generation != 0) {
    static_cast<void>(folder_->snapshot(std::chrono::seconds(10)));
  }
}

void Learner::Core::put_class(std::uint32_t slot, const Registry::Entry& entry,
                              Span<const std::byte> section) {
  const std::lock_guard<std::mutex> lock(changing_);
  if (const char* fault = find_fault_in_class(settings_.ensemble, section)) {
    throw StateError("class '" + std::string(entry.label.text()) + "': " + fault);
  }
  require(ensemble_->import_class(slot, section));
  const std::lock_guard<std::shared_mutex> names(naming_);
  registry_.set(slot, entry.label, entry.uid);
}

void Learner::Core::put_shared(Span<const std::byte> section) {
  const std::lock_guard<std::mutex> lock(changing_);
  if (const char* fault = find_fault_in_shared(settings_.ensemble, section)) {
    throw StateError(std::string("shared statistics: ") + fault);
  }
  require(ensemble_->import_shared(section));
}

void Learner::Core::take_over(const Core& other) {
  const std::lock_guard<std::mutex> still(other.changing_);
  std::vector<std::byte> section(ensemble_->class_section_bytes());
  for (std::uint32_t slot = 0; slot < other.registry_.slots(); ++slot) {
    if (!other.registry_.used(slot)) continue;
    if (slot >= registry_.slots())
      throw StateError("there are more classes than there is room for");
    require(other.ensemble_->export_class(slot, section));
    put_class(slot, other.registry_.at(slot), section);
  }
  section.resize(ensemble_->shared_section_bytes());
  require(other.ensemble_->export_shared(section));
  put_shared(section);
  Event event;
  event.kind = EventKind::kTakenOver;
  {
    const std::lock_guard<std::mutex> lock(changing_);
    require(commit(event));
  }
  static_cast<void>(refresher_.refresh_now());
}

}  // namespace jackdaw
