// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The public face: everything is in Learner::Core.
#include "jackdaw/learner.hpp"

#include <algorithm>
#include <chrono>

#include "jackdaw/error.hpp"
#include "jackdaw/log.hpp"
#include "learner/learner_core.hpp"
#include "state/file_names.hpp"
#include "state/snapshot_reader.hpp"

namespace jackdaw {
namespace {

// Settings and, if they are the caller's own, keys from the newest good snapshot.
LearnerSettings settings_in(state::FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  if (const state::IoError error = files.list(folder, names)) {
    throw StateError(folder + ": cannot be read: " + error.text());
  }
  std::vector<std::uint64_t> generations;
  for (const std::string& name : names) {
    state::FileName parsed;
    if (state::parse_name(name, parsed) && parsed.kind == state::FileKind::kSnapshot) {
      generations.push_back(parsed.generation);
    }
  }
  std::sort(generations.rbegin(), generations.rend());
  std::string reason =
      "it holds no snapshot, so it is no state folder of jackdaw; give the folder that --state "
      "named";
  for (const std::uint64_t generation : generations) {
    state::SnapshotReader snapshot;
    const std::string path = state::join(folder, state::snapshot_name(generation));
    if (snapshot.open(files, path, generation) != state::SnapshotState::kGood) {
      reason = state::snapshot_name(generation) + ": " + snapshot.reason() +
               "; restore the folder from a copy";
      continue;
    }
    LearnerSettings settings;
    std::vector<std::int8_t> keys;
    for (std::size_t i = 0; i < snapshot.sections().size(); ++i) {
      const state::SnapshotSection& section = snapshot.sections()[i];
      if (section.id.type != Learner::Core::kSettings && section.id.type != Learner::Core::kKeys)
        continue;
      std::vector<std::byte> content(section.bytes);
      if (snapshot.read(i, content) != state::SnapshotState::kGood)
        throw StateError(path + ": " + snapshot.reason());
      if (section.id.type == Learner::Core::kSettings) settings = settings_from_json(content, path);
      if (section.id.type == Learner::Core::kKeys) {
        keys.resize(content.size());
        std::transform(content.begin(), content.end(), keys.begin(),
                       [](std::byte b) { return static_cast<std::int8_t>(b); });
      }
    }
    settings.keys = std::move(keys);
    return settings;
  }
  throw StateError(folder + ": " + reason);
}

void validate(const LearnerSettings& settings) {
  validate(settings.ensemble);
  const float bound = settings.answer.unknown_below;
  if (!(bound >= -1000.0F && bound <= 1000.0F)) {
    throw SettingsError("answer.unknown_below is " + std::to_string(bound) +
                        "; it must be from -1000 (never unknown) to 1000");
  }
  for (const char c : settings.encoder) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      throw SettingsError("the encoder's name holds a control character");
    }
  }
}

// As far as the learner's own memory depends on it.
bool alike(const EnsembleSettings& a, const EnsembleSettings& b) {
  return a.profile == b.profile && a.classifiers == b.classifiers && a.nearest == b.nearest &&
         a.dimensions == b.dimensions && a.max_classes == b.max_classes && a.store == b.store &&
         a.contexts == b.contexts && a.undo_depth == b.undo_depth && a.seed == b.seed;
}

}  // namespace

Learner::Learner(const LearnerSettings& settings) : Learner(settings, nullptr) {}

Learner::Learner(const LearnerSettings& settings, std::unique_ptr<Ensemble> ensemble) {
  validate(settings);
  if (ensemble == nullptr)
    ensemble = make_ensemble(settings.ensemble, settings.device, settings.keys);
  if (!alike(ensemble->settings(), settings.ensemble)) {
    throw SettingsError("the given ensemble is not of the size that the settings name");
  }
  core_ = std::make_unique<Core>(settings, std::move(ensemble));
  if (!settings.folder.empty()) core_->open_folder();
}

Learner::~Learner() = default;
Learner::Learner(Learner&&) noexcept = default;
Learner& Learner::operator=(Learner&&) noexcept = default;

Status Learner::teach(Span<const float> embedding, std::string_view label) noexcept {
  return core_->teach(embedding, label);
}
Status Learner::predict(Span<const float> embedding, Answer& answer,
                        std::uint32_t context) noexcept {
  return core_->predict(embedding, answer, context);
}
Status Learner::teach_on_device(const DeviceEmbedding& embedding, std::string_view label) noexcept {
  return core_->teach(embedding, label);
}
Status Learner::predict_on_device(const DeviceEmbedding& embedding, Answer& answer,
                                  std::uint32_t context) noexcept {
  return core_->predict(embedding, answer, context);
}
Answer Learner::make_answer() const {
  Answer answer;
  answer.ranked.reserve(settings().ensemble.max_classes);
  answer.scores.resize(settings().ensemble.max_classes);
  return answer;
}

Status Learner::undo(std::uint32_t examples) noexcept { return core_->undo(examples); }
Status Learner::undo_range(std::uint64_t first, std::uint64_t last) noexcept {
  return core_->undo_range(first, last);
}
Status Learner::move(std::uint32_t examples, std::string_view label) noexcept {
  return core_->move(examples, label);
}
Status Learner::move_range(std::uint64_t first, std::uint64_t last,
                           std::string_view label) noexcept {
  return core_->move_range(first, last, label);
}
Status Learner::add_class(std::string_view label) noexcept { return core_->add_class(label); }
Status Learner::forget(std::string_view label) noexcept { return core_->forget(label); }
Status Learner::rename(std::string_view label, std::string_view to) noexcept {
  return core_->rename(label, to);
}

std::vector<ClassInfo> Learner::classes() const { return core_->classes(); }
std::vector<RecentExample> Learner::recent() const { return core_->recent(); }
LearnerStatistics Learner::statistics() const { return core_->statistics(); }
std::uint64_t Learner::last_sequence() const noexcept { return core_->last_sequence(); }
std::uint64_t Learner::durable_sequence() const noexcept { return core_->durable_sequence(); }
const LearnerSettings& Learner::settings() const noexcept { return core_->settings(); }
const Ensemble& Learner::ensemble() const noexcept { return core_->ensemble(); }

Status Learner::refresh() noexcept { return core_->refresher().refresh_now(); }

bool Learner::flush(double seconds) {
  const double limited = seconds > 0.0 ? std::min(seconds, 1e6) : 0.0;  // NaN: not at all
  return core_->folder() != nullptr && core_->folder()->flush(std::chrono::milliseconds(
                                           static_cast<std::int64_t>(limited * 1e3)));
}

void Learner::snapshot() {
  if (core_->folder() == nullptr)
    throw StateError("this learner has no folder to take a snapshot in");
  if (!core_->folder()->snapshot(std::chrono::seconds(60), true)) {
    throw StateError(settings().folder + ": " + core_->folder()->problem());
  }
}

void Learner::save_as(const std::string& folder) const {
  state::PosixFileSystem files;
  std::vector<std::string> names;
  if (!files.list(folder, names) && !names.empty()) {
    throw StateError(folder + ": is not empty; give the name of a new folder");
  }
  LearnerSettings settings = core_->settings();
  settings.folder = folder;
  settings.device = Device::kCpu;
  try {
    Learner copy(settings);
    copy.core_->take_over(*core_);
    copy.snapshot();
    copy.snapshot();  // so that the older one of the two that are kept is not the empty one
  } catch (const Error&) {
    // Nothing half done is left to be taken for a state.
    names.clear();
    static_cast<void>(static_cast<bool>(files.list(folder, names)));
    for (const std::string& name : names) {
      state::FileName parsed;
      if (!state::parse_name(name, parsed)) continue;
      static_cast<void>(static_cast<bool>(files.remove(state::join(folder, name))));
    }
    throw;
  }
}

LearnerSettings read_settings(const std::string& folder) {
  state::PosixFileSystem files;
  return settings_in(files, folder);
}

std::string snapshot_file_name(Span<const std::byte> file) {
  state::SnapshotHeader header;
  bool newer = false;
  const bool whole = file.size() >= state::kSnapshotHeaderBytes;
  if (!whole || !state::decode_snapshot_header(file.first(state::kSnapshotHeaderBytes), file.size(),
                                               header, newer)
                     .empty()) {
    return {};
  }
  return state::snapshot_name(header.generation);
}

std::string newest_snapshot(const std::string& folder) {
  state::PosixFileSystem files;
  std::vector<std::string> names;
  if (const state::IoError error = files.list(folder, names)) {
    throw StateError(folder + ": cannot be read: " + error.text());
  }
  std::uint64_t newest = 0;
  for (const std::string& name : names) {
    state::FileName parsed;
    if (state::parse_name(name, parsed) && parsed.kind == state::FileKind::kSnapshot) {
      newest = std::max(newest, parsed.generation);
    }
  }
  if (newest == 0) throw StateError(folder + ": holds no snapshot");
  return state::join(folder, state::snapshot_name(newest));
}

Learner load_copy(const std::string& folder) {
  state::PosixFileSystem files;
  LearnerSettings settings = settings_in(files, folder);
  settings.device = Device::kCpu;
  settings.refresh_in_background = false;
  Learner learner(settings);
  const state::RecoveryReport report = state::StateFolder::read(files, folder, learner.core());
  for (const std::string& note : report.notes) log(LogLevel::kWarning, folder + ": " + note);
  return learner;
}

}  // namespace jackdaw
