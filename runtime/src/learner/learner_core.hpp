// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The learner's inside: an ensemble, names, the undo ring, and how each change is journalled,
// applied, saved and replayed. One mutex serialises changes; answering takes only the locks of the
// ensemble and of the names.

#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "core/random.hpp"
#include "jackdaw/learner.hpp"
#include "learner/event.hpp"
#include "learner/refresher.hpp"
#include "learner/registry.hpp"
#include "learner/undo_ring.hpp"
#include "state/persistent.hpp"
#include "state/posix_file_system.hpp"
#include "state/state_folder.hpp"

namespace jackdaw {

class Learner::Core final : public state::Persistent {
 public:
  enum SectionType : std::uint32_t {
    kSettings = 1,
    kRegistry = 2,
    kRecent = 3,
    kShared = 4,
    kClass = 5,
    kKeys = 6
  };

  Core(const LearnerSettings& settings, std::unique_ptr<Ensemble> ensemble);
  ~Core() override;

  Status teach(Span<const float> embedding, std::string_view label) noexcept;
  Status teach(const DeviceEmbedding& embedding, std::string_view label) noexcept;
  Status predict(Span<const float> embedding, Answer& answer, std::uint32_t context) noexcept;
  Status predict(const DeviceEmbedding& embedding, Answer& answer, std::uint32_t context) noexcept;
  Status undo(std::uint32_t examples) noexcept;
  Status undo_range(std::uint64_t first, std::uint64_t last) noexcept;
  Status move(std::uint32_t examples, std::string_view label) noexcept;
  Status move_range(std::uint64_t first, std::uint64_t last, std::string_view label) noexcept;
  Status add_class(std::string_view label) noexcept;
  Status forget(std::string_view label) noexcept;
  Status rename(std::string_view label, std::string_view to) noexcept;

  std::vector<ClassInfo> classes() const;
  std::vector<RecentExample> recent() const;
  LearnerStatistics statistics() const;
  std::uint64_t last_sequence() const noexcept;
  std::uint64_t durable_sequence() const noexcept { return folder_ ? folder_->acknowledged() : 0; }
  const LearnerSettings& settings() const noexcept { return settings_; }
  Ensemble& ensemble() const noexcept { return *ensemble_; }
  const Registry& registry() const noexcept { return registry_; }
  Refresher& refresher() noexcept { return refresher_; }
  state::StateFolder* folder() noexcept { return folder_.get(); }

  // Opens the folder of the settings: loads what is there, and saves the settings if it is new.
  void open_folder();
  // Everything of `other`, in place of what is here. For a learner that nothing was taught yet.
  void take_over(const Core& other);
  // Exchanges one class's content; opens the slot under that name if need be.
  void put_class(std::uint32_t slot, const Registry::Entry& entry, Span<const std::byte> section);
  void put_shared(Span<const std::byte> section);

  // state::Persistent
  state::Hash256 identity() const override;
  std::size_t largest_section_bytes() const override;
  std::uint64_t list_sections(std::vector<state::SectionId>& out) override;
  state::SectionCopy copy_section(state::SectionId section, Span<std::byte> out) override;
  void begin_load() override;
  void load_section(state::SectionId section, std::uint64_t mark,
                    Span<const std::byte> content) override;
  void replay(std::uint64_t sequence, std::uint8_t kind, Span<const std::byte> payload) override;
  void end_load(std::uint64_t last) override;

 private:
  // Up to which record a snapshot's sections hold the changes already. All 0 while running.
  struct Marks {
    std::uint64_t registry = 0;
    std::uint64_t recent = 0;
    std::uint64_t shared = 0;
    std::vector<std::uint64_t> slots;
  };

  std::size_t sums_bytes() const noexcept;
  Status teach_example(std::string_view label) noexcept;  // what is in example_
  // What comes before and after the ensemble's part of an answer.
  Status begin(Answer& answer, std::uint32_t context) const noexcept;
  void finish(Answer& answer) const noexcept;
  Status find_or_open(std::string_view text, std::uint32_t& slot) noexcept;
  Status open(const Label& label, std::uint32_t& slot) noexcept;
  Status close(std::uint32_t slot) noexcept;
  // Of the last examples, by sequence number.
  Status unteach(std::uint64_t first, std::uint64_t last) noexcept;
  Status relabel(std::uint64_t first, std::uint64_t last, std::string_view label) noexcept;
  // Journals the event and applies it. The caller has checked that it can be applied.
  Status commit(const Event& event) noexcept;
  Status apply(std::uint64_t sequence, const Event& event, const Marks& marks) noexcept;
  Status apply_to_ensemble(std::uint64_t sequence, const Event& event, const Marks& marks) noexcept;
  void apply_to_names(const Event& event) noexcept;
  void apply_to_recent(std::uint64_t sequence, const Event& event) noexcept;
  template <class Change>
  Status change_recent(std::uint64_t first, std::uint64_t last, const Change& change) noexcept;
  std::uint64_t sequence_of_last(std::uint32_t examples) const noexcept;

  const LearnerSettings settings_;
  std::unique_ptr<Ensemble> ensemble_;
  Registry registry_;
  UndoRing recent_;
  std::vector<std::byte> contexts_;  // one example for each predicting thread
  std::vector<std::byte> example_;   // the teacher's
  std::vector<std::byte> payload_;   // of the record being written
  std::vector<std::int32_t> sums_;   // of the class being forgotten
  std::uint64_t last_sequence_ = 0;
  Random uids_;
  Marks none_;                   // while running
  Marks loaded_;                 // while loading
  bool saved_settings_ = false;  // the loaded snapshot holds just these settings

  mutable std::mutex changing_;
  mutable std::shared_mutex naming_;  // registry_, for those who answer
  Refresher refresher_;
  state::PosixFileSystem files_;
  std::unique_ptr<state::StateFolder> folder_;  // last: its threads use the rest
};

// As JSON, in a snapshot's section; what is needed to make the same learner again.
std::string settings_to_json(const LearnerSettings& settings);
// Throws StateError, naming the file.
LearnerSettings settings_from_json(Span<const std::byte> json, const std::string& file);

}  // namespace jackdaw
