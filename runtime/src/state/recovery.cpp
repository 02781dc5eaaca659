// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/recovery.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include "jackdaw/error.hpp"
#include "state/file_names.hpp"
#include "state/journal_chain.hpp"
#include "state/snapshot_reader.hpp"

namespace jackdaw::state {
namespace {

std::vector<std::string> list_names(FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  if (const IoError error = files.list(folder, names)) {
    throw StateError("the state folder " + folder + " cannot be listed: " + error.text() +
                     "; check that it exists and may be read");
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Recovery {
 public:
  Recovery(FileSystem& files, const std::string& folder, Persistent& learner)
      : files_(files),
        folder_(folder),
        learner_(learner),
        chain_(files, folder, learner.identity()) {}

  Recovered run(const std::vector<std::string>& names) {
    sort_files(names);
    chain_.read_headers(journals_);
    const bool loaded = std::any_of(snapshots_.begin(), snapshots_.end(),
                                    [&](std::uint64_t generation) { return load(generation); });
    if (!loaded) start_empty();
    finish();
    return out_;
  }

 private:
  void sort_files(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      FileName file;
      if (!parse_name(name, file)) continue;
      out_.next_generation = std::max(out_.next_generation, file.generation + 1);
      if (file.kind == FileKind::kSnapshot) snapshots_.push_back(file.generation);
      if (file.kind == FileKind::kJournal) journals_.push_back(file.generation);
      if (file.kind == FileKind::kPartial) out_.leftovers.push_back(name);
    }
    std::sort(snapshots_.rbegin(), snapshots_.rend());
    std::sort(journals_.begin(), journals_.end());
  }

  // False: it was passed over, for a reason that is in the notes.
  bool load(std::uint64_t generation) {
    const std::string name = snapshot_name(generation);
    SnapshotReader reader;
    SnapshotState state = reader.open(files_, join(folder_, name), generation);
    if (state == SnapshotState::kUnreadable) {
      std::unique_ptr<File> file;
      if (files_.open(join(folder_, name), file).code == ENOENT) throw Vanished{};
    }
    if (state == SnapshotState::kNewer) {
      chain_.refuse(name, reader.reason(), "update this program; nothing was changed");
    }
    std::string flaw = reader.reason();
    if (state == SnapshotState::kGood) {
      if (reader.header().identity != learner_.identity()) chain_.refuse_identity(name);
      newest_mark_ = std::max(newest_mark_, reader.newest_mark());
      if (chain_.follow(reader.header().mark) < reader.newest_mark()) {
        state = SnapshotState::kBroken;
        flaw = "the records that it needs are damaged";
      } else {
        state = load_sections(reader, flaw);
      }
    }
    if (state == SnapshotState::kGood) {
      out_.report.snapshot_generation = generation;
      out_.report.snapshot_mark = reader.header().mark;
      out_.known_durable = std::max(chain_.durable(), reader.newest_mark());
      return true;
    }
    out_.report.notes.push_back(name + " was passed over: " + flaw);
    // A disk that cannot be read now may be readable later; what is broken stays broken.
    if (state == SnapshotState::kBroken) out_.broken_snapshots.push_back(name);
    return false;
  }

  SnapshotState load_sections(SnapshotReader& reader, std::string& flaw) {
    learner_.begin_load();
    std::vector<std::byte> content;
    for (std::size_t i = 0; i < reader.sections().size(); ++i) {
      const SnapshotSection& section = reader.sections()[i];
      content.resize(static_cast<std::size_t>(section.bytes));
      if (const SnapshotState state = reader.read(i, content); state != SnapshotState::kGood) {
        flaw = reader.reason();
        return state;
      }
      try {
        learner_.load_section(section.id, section.mark, content);
      } catch (const DoesNotFit& error) {
        chain_.refuse(snapshot_name(reader.header().generation), error.what(),
                      "nothing was changed");
      } catch (const StateError& error) {
        flaw = error.what();
        return SnapshotState::kBroken;
      }
    }
    return SnapshotState::kGood;
  }

  // Without a snapshot the journal must go back to the first record; a new folder has neither.
  void start_empty() {
    const std::vector<SegmentRef>& segments = chain_.segments();
    const bool possible = segments.empty() ? chain_.proven_durable() == 0 && snapshots_.empty()
                                           : segments.front().first_sequence == 1;
    if (!possible) {
      std::string text = "the state in " + folder_ + " cannot be loaded";
      for (const std::string& note : out_.report.notes) text += "; " + note;
      throw StateError(text +
                       "; nothing was changed. Restore the folder from a copy, or choose another");
    }
    static_cast<void>(chain_.follow(0));
    out_.known_durable = chain_.durable();
    learner_.begin_load();
  }

  void replay() {
    RecoveryReport& report = out_.report;
    report.last_sequence = chain_.replay(
        report.snapshot_mark, [&](const std::string& name, const JournalRecord& record) {
          try {
            learner_.replay(record.sequence, record.kind, record.payload);
          } catch (const StateError& error) {
            chain_.refuse(name, "record " + std::to_string(record.sequence) + ": " + error.what(),
                          "nothing was changed");
          }
          ++report.records_replayed;
          out_.bytes_replayed += record_bytes(record.payload.size());
        });
  }

  void finish() {
    replay();
    RecoveryReport& report = out_.report;
    const std::uint64_t last = report.last_sequence;
    out_.known_durable = std::min(out_.known_durable, last);
    out_.segments = chain_.segments();
    if (chain_.last_segment() < out_.segments.size()) {
      out_.tail_generation = out_.segments[chain_.last_segment()].generation;
    }
    for (const JournalChain::Headless& file : chain_.headless()) {
      // A crash while a segment was being made leaves nothing that is not elsewhere too.
      report.notes.push_back(
          file.name + " has no valid header and was passed over" +
          (file.highest > last ? "; it holds records up to number " + std::to_string(file.highest)
                               : std::string()));
      (file.highest > last ? out_.damaged_journals : out_.leftovers).push_back(file.name);
    }
    const std::uint64_t proven = std::max(chain_.proven_durable(), newest_mark_);
    report.damaged = proven > last;
    if (journals_.empty() &&
        !snapshots_.empty()) {  // there is one from before the first snapshot on
      report.damaged = true;
      report.notes.push_back("the journal is missing; what was learned after the snapshot is lost");
    }
    out_.highest_sequence = last;
    if (report.damaged) {
      out_.highest_sequence = std::max(chain_.highest_seen(), proven);
      if (proven > last) note_damage(last, proven);
    } else if (chain_.end() == JournalEnd::kTorn) {
      report.notes.push_back("an unfinished write at the end of the journal was dropped");
    }
    try {
      learner_.end_load(out_.highest_sequence);
    } catch (const StateError& error) {
      throw StateError("the state in " + folder_ + " cannot be loaded: " + error.what() +
                       "; nothing was changed. Restore the folder from a copy, or choose another");
    }
  }

  void note_damage(std::uint64_t last, std::uint64_t proven) {
    out_.report.notes.push_back("acknowledged records after number " + std::to_string(last) +
                                " are damaged or missing (up to number " + std::to_string(proven) +
                                " at least)");
    const std::size_t none = out_.segments.size();
    const std::size_t from = chain_.last_segment() == none ? 0 : chain_.last_segment();
    for (std::size_t i = from; i < none; ++i) {
      out_.damaged_journals.push_back(journal_name(out_.segments[i].generation));
    }
  }

  FileSystem& files_;
  const std::string& folder_;
  Persistent& learner_;
  JournalChain chain_;
  Recovered out_;
  std::vector<std::uint64_t> snapshots_;  // newest first
  std::vector<std::uint64_t> journals_;   // oldest first
  std::uint64_t newest_mark_ = 0;         // of any valid snapshot
};

}  // namespace

Recovered recover(FileSystem& files, const std::string& folder, Persistent& learner) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    try {
      const std::vector<std::string> names = list_names(files, folder);
      Recovered found = Recovery(files, folder, learner).run(names);
      // While another process writes, a list may hold a snapshot and miss a segment before it.
      if (!found.report.damaged || list_names(files, folder) == names) return found;
    } catch (const Vanished&) {
    }
  }
  throw StateError("the files in " + folder +
                   " change while they are being read; stop the program that writes them, or copy "
                   "the folder");
}

}  // namespace jackdaw::state
