// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Merging is adding: every statistic is a sum of whole numbers, so two devices that started alike
// merge into what one device would be that was taught both streams. What both got from a common
// ancestor is in both sums and is taken off once.
#include "core/section.hpp"
#include "jackdaw/error.hpp"
#include "learner/learner_core.hpp"

namespace jackdaw {
namespace {

std::string quoted(const Label& label) { return "'" + std::string(label.text()) + "'"; }

std::vector<std::byte> class_of(const Learner::Core& core, std::uint32_t slot) {
  std::vector<std::byte> section(core.ensemble().class_section_bytes());
  const Status status = core.ensemble().export_class(slot, section);
  if (status != Status::kOk) throw StateError(describe(status));
  return section;
}

std::vector<std::byte> shared_of(const Learner::Core& core) {
  std::vector<std::byte> section(core.ensemble().shared_section_bytes());
  const Status status = core.ensemble().export_shared(section);
  if (status != Status::kOk) throw StateError(describe(status));
  return section;
}

// A class that the ancestor knew and that one side has forgotten cannot be added up exactly.
void require_kept(const Learner::Core& ancestor, const Learner::Core& side, const char* which) {
  const Registry& known = ancestor.registry();
  for (std::uint32_t slot = 0; slot < known.slots(); ++slot) {
    if (!known.used(slot) || side.registry().find(known.at(slot).uid) != Registry::kNone) continue;
    throw StateError("class " + quoted(known.at(slot).label) +
                     " of the ancestor was forgotten in the " + which +
                     " state; forget it in the other one, too, and merge without an ancestor");
  }
}

[[noreturn]] void refuse_overflow() {
  throw StateError("together the states hold more examples than their statistics can count");
}

[[noreturn]] void refuse_name(const Label& label) {
  throw StateError("class " + quoted(label) +
                   " means different classes in the two states; rename one");
}

// Where a class of the other side goes: to the one that came from the same class of the ancestor,
// otherwise to the one of the same name, if that did not come from the ancestor either.
std::uint32_t partner(const Registry& ours, const Registry::Entry& theirs,
                      const Registry* ancestor) {
  if (ancestor != nullptr && ancestor->find(theirs.uid) != Registry::kNone) {
    return ours.find(theirs.uid);
  }
  const std::uint32_t slot = ours.find(theirs.label);
  if (ancestor != nullptr && slot != Registry::kNone &&
      ancestor->find(ours.at(slot).uid) != Registry::kNone) {
    refuse_name(theirs.label);
  }
  return slot;
}

// Without an ancestor, what both sides got from one state would be counted twice.
void require_apart(const Registry& ours, const Registry& theirs) {
  for (std::uint32_t slot = 0; slot < theirs.slots(); ++slot) {
    if (!theirs.used(slot) || ours.find(theirs.at(slot).uid) == Registry::kNone) continue;
    throw StateError("class " + quoted(theirs.at(slot).label) +
                     " of both states comes from one state; give that state as the ancestor");
  }
}

// Renames on both sides may have given two classes the same name.
void require_different_names(const Registry& merged) {
  for (std::uint32_t slot = 0; slot < merged.slots(); ++slot) {
    if (merged.used(slot) && merged.find(merged.at(slot).label) != slot) {
      refuse_name(merged.at(slot).label);
    }
  }
}

}  // namespace

void Learner::merge(const Learner& other, const Learner* ancestor) {
  if (core_->folder() != nullptr) {
    throw StateError("merge works on learners in memory; load a copy of " + settings().folder);
  }
  const Core* base = ancestor == nullptr ? nullptr : ancestor->core_.get();
  if (core_->identity() != other.core_->identity() ||
      (base != nullptr && core_->identity() != base->identity())) {
    throw StateError("the states did not start alike: settings, keys or encoder differ");
  }
  if (base != nullptr) {
    require_kept(*base, *core_, "first");
    require_kept(*base, *other.core_, "second");
  }
  const EnsembleSettings& ensemble = settings().ensemble;
  const Registry& ours = core_->registry();
  const Registry& theirs = other.core_->registry();
  const Registry* common = base == nullptr ? nullptr : &base->registry();

  if (common == nullptr) require_apart(ours, theirs);

  // Into a learner of its own first: if anything fails, this one is as it was.
  Learner merged(settings());
  merged.core_->take_over(*core_);
  for (std::uint32_t slot = 0; slot < theirs.slots(); ++slot) {
    if (!theirs.used(slot)) continue;
    Registry::Entry entry = theirs.at(slot);
    std::uint32_t target = partner(ours, entry, common);
    if (target == Registry::kNone) {
      target = merged.core_->registry().free_slot();
      if (target == Registry::kNone) {
        throw StateError("together the states hold more than the " +
                         std::to_string(ensemble.max_classes) + " classes planned for");
      }
      static_cast<void>(merged.core_->ensemble().open_slot(target));
    } else {
      const std::uint32_t before = common == nullptr ? Registry::kNone : common->find(entry.uid);
      // A rename of theirs counts if we did not rename the class ourselves.
      const bool ours_renamed =
          before == Registry::kNone || ours.at(target).label != common->at(before).label;
      if (ours_renamed) entry.label = ours.at(target).label;
      entry.uid = ours.at(target).uid;
    }
    std::vector<std::byte> sum = class_of(*merged.core_, target);
    bool fits = add_class_section(ensemble, sum, slot, class_of(*other.core_, slot), 1);
    const std::uint32_t before =
        common == nullptr ? Registry::kNone : common->find(theirs.at(slot).uid);
    if (before != Registry::kNone) {
      fits = fits && add_class_section(ensemble, sum, before, class_of(*base, before), -1);
    }
    if (!fits) refuse_overflow();
    merged.core_->put_class(target, entry, sum);
  }
  require_different_names(merged.core_->registry());
  std::vector<std::byte> shared = shared_of(*core_);
  bool fits = add_shared_section(ensemble, shared, shared_of(*other.core_), 1);
  if (base != nullptr) fits = fits && add_shared_section(ensemble, shared, shared_of(*base), -1);
  if (!fits) refuse_overflow();
  merged.core_->put_shared(shared);
  static_cast<void>(merged.refresh());
  *this = std::move(merged);
}

}  // namespace jackdaw
