// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What applications use: teach examples by name, ask what something is, take things back.
//
//   LearnerSettings settings;
//   settings.ensemble.dimensions = 256;
//   settings.folder = "/var/lib/jackdaw";       // survives power loss; empty: memory only
//   Learner learner(settings);
//   learner.teach(embedding, "mug");            // the first example of a name makes the class
//   Answer answer = learner.make_answer();
//   learner.predict(embedding, answer);
//   if (!answer.unknown) use(answer.best().label.text(), answer.best().confidence);
//   learner.undo(1);                            // the rows are as before, bit for bit
//
// Threads: any thread may teach, undo, rename... (calls are serialised); each context may predict
// in a thread of its own meanwhile, and needs it for itself. predict and teach neither throw nor
// allocate after the first call. merge() and moving replace the learner's inside: no other thread
// may use it then.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/label.hpp"

namespace jackdaw {

// When an answer is "unknown", and how sure the others are. See docs/architecture.md.
struct AnswerRule {
  // Typicality: 0 is like anything at all, 1 like a typical example. -1000: never unknown.
  float unknown_below = 0.9F;
};

struct LearnerSettings {
  EnsembleSettings ensemble;
  Device device = Device::kAuto;
  AnswerRule answer;
  std::string encoder;  // identity of encoder and calibration; state of another one is refused
  std::string folder;   // of the state on disk; empty: memory only
  std::vector<std::int8_t> keys;  // [n][d]; empty: random from ensemble.seed
  bool refresh_in_background = true;
};

struct RankedLabel {
  Label label;
  std::uint32_t slot = 0;
  float confidence = 0.0F;  // 0 to 1
  float typicality = 0.0F;
  float score = 0.0F;
};

struct Answer {
  std::vector<RankedLabel> ranked;  // best first
  std::vector<ClassScore> scores;   // by slot, for those who want more
  bool unknown = true;
  float unknown_confidence = 1.0F;  // the rest of the confidences' sum of 1

  const RankedLabel& best() const { return ranked.front(); }
};

struct ClassInfo {
  Label label;
  std::uint32_t slot = 0;
  std::int32_t examples = 0;
  std::int32_t clipped = 0;  // row updates that met the store's limit; 0: undo and merge are exact
};

// One of the last examples, still exact to undo or to move.
struct RecentExample {
  std::uint64_t sequence = 0;
  Label label;
};

struct LearnerStatistics {
  std::uint64_t examples = 0;          // in all classes
  std::uint64_t last_sequence = 0;     // of the last change
  std::uint64_t durable_sequence = 0;  // up to here every change survives power loss
  std::uint64_t refreshes = 0;
  double last_refresh_seconds = 0.0;
  std::string problem;  // why changes are not durable at the moment; empty: all is well
  std::string backend;
};

class Learner {
 public:
  // Throws SettingsError, CapacityError, CudaError or StateError.
  explicit Learner(const LearnerSettings& settings);
  // The same with an ensemble of the caller's own, which must be of settings.ensemble.
  Learner(const LearnerSettings& settings, std::unique_ptr<Ensemble> ensemble);
  ~Learner();
  Learner(Learner&&) noexcept;
  Learner& operator=(Learner&&) noexcept;

  // --- the frame path ---------------------------------------------------------------------------
  Status teach(Span<const float> embedding, std::string_view label) noexcept;
  Status predict(Span<const float> embedding, Answer& answer, std::uint32_t context = 0) noexcept;
  Answer make_answer() const;  // with room for every class
  // The same for an embedding that is in the GPU's memory, if ensemble().on_device(): it is taken
  // there as it is, and of what is taught only the quantised bytes come to the host, for undo and
  // for the journal.
  Status teach_on_device(const DeviceEmbedding& embedding, std::string_view label) noexcept;
  Status predict_on_device(const DeviceEmbedding& embedding, Answer& answer,
                           std::uint32_t context = 0) noexcept;

  // --- changing one's mind ----------------------------------------------------------------------
  // The last so many, newest first. Where the disk cannot keep up they end early with
  // kJournalBehind; what was done stays done, and calling again goes on.
  Status undo(std::uint32_t examples) noexcept;
  Status undo_range(std::uint64_t first, std::uint64_t last) noexcept;  // by sequence number
  Status move(std::uint32_t examples, std::string_view label) noexcept;
  Status move_range(std::uint64_t first, std::uint64_t last, std::string_view label) noexcept;
  Status add_class(std::string_view label) noexcept;  // an empty one
  Status forget(std::string_view label) noexcept;
  Status rename(std::string_view label, std::string_view to) noexcept;

  // --- looking ----------------------------------------------------------------------------------
  std::vector<ClassInfo> classes() const;
  std::vector<RecentExample> recent() const;  // oldest first
  LearnerStatistics statistics() const;
  // The same two numbers as in statistics(), for those who ask at every frame.
  std::uint64_t last_sequence() const noexcept;
  std::uint64_t durable_sequence() const noexcept;
  const LearnerSettings& settings() const noexcept;
  const Ensemble& ensemble() const noexcept;

  // --- quiet moments ----------------------------------------------------------------------------
  Status refresh() noexcept;  // done in the background unless the settings say otherwise
  // Waits until every change so far survives power loss. False after the time, or without a folder.
  bool flush(double seconds);
  void snapshot();  // throws StateError

  // Adds what `other` was taught. Both must have started alike (same settings, keys and encoder);
  // labels are matched by name. `ancestor`: the state both were copied from, counted once. For a
  // learner in memory (see load_copy); the others must not change meanwhile. The merged learner has
  // nothing to undo. Throws StateError if that cannot be done exactly; then, this learner is
  // unchanged.
  void merge(const Learner& other, const Learner* ancestor = nullptr);
  // Writes what was learned into a new state folder; the list of what can be undone starts anew
  // there.
  void save_as(const std::string& folder) const;

  class Core;
  Core& core() noexcept { return *core_; }  // for the library itself

 private:
  std::unique_ptr<Core> core_;
};

// The settings that a state folder was made with, to open it without knowing them. Changes nothing.
LearnerSettings read_settings(const std::string& folder);

// A snapshot is a whole state in one file: to send it, or to keep it elsewhere. This is the name it
// must have to be alone in a folder for load_copy() and read_settings(); empty: it is no snapshot.
std::string snapshot_file_name(Span<const std::byte> file);
// The newest snapshot in a folder, as save_as() or snapshot() left it. Throws StateError.
std::string newest_snapshot(const std::string& folder);

// Loads a state folder into memory; the folder is not changed and may be in use.
Learner load_copy(const std::string& folder);

}  // namespace jackdaw
