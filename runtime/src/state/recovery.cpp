// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/recovery.hpp"

#include <algorithm>
#include <cerrno>
#include <functional>
#include <limits>
#include <memory>

#include "jackdaw/error.hpp"
#include "state/file_names.hpp"
#include "state/journal_reader.hpp"
#include "state/snapshot_reader.hpp"

namespace jackdaw::state {
namespace {

// A file went away between listing and opening: another process is pruning. List again.
struct Vanished {};

class Recovery {
 public:
  Recovery(FileSystem& files, const std::string& folder, Persistent& learner)
      : files_(files), folder_(folder), learner_(learner), identity_(learner.identity()) {}

  Recovered run() {
    list_files();
    read_headers();
    for (const std::uint64_t generation : snapshots_) {
      if (load_snapshot(generation)) return finish();
    }
    start_empty();
    return finish();
  }

 private:
  // A stretch of the journal from one segment: records up to limit.
  struct Stretch {
    std::size_t segment = 0;
    std::uint64_t limit = 0;
  };
  struct Headless {
    std::string name;
    std::uint64_t highest = 0;
  };
  using Visit = std::function<void(const JournalRecord&)>;

  [[noreturn]] void refuse(const std::string& name, const std::string& what,
                           const std::string& next) const {
    throw StateError("the state file " + join(folder_, name) + " cannot be used: " + what + "; " +
                     next);
  }

  [[noreturn]] void refuse_identity(const std::string& name) const {
    refuse(name, "it belongs to another encoder or other settings",
           "start with those it was made with, or choose another folder");
  }

  void list_files() {
    std::vector<std::string> names;
    if (const IoError error = files_.list(folder_, names)) {
      throw StateError("the state folder " + folder_ + " cannot be listed: " + error.text() +
                       "; check that it exists and may be read");
    }
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

  std::unique_ptr<File> open_journal(std::uint64_t generation) const {
    std::unique_ptr<File> file;
    const IoError error = files_.open(join(folder_, journal_name(generation)), file);
    if (error.code == ENOENT) throw Vanished{};
    if (error) unreadable(generation, error);
    return file;
  }

  [[noreturn]] void unreadable(std::uint64_t generation, IoError error) const {
    refuse(journal_name(generation), error.text(), "check the disk; nothing was changed");
  }

  void read_headers() {
    for (const std::uint64_t generation : journals_) {
      const std::string name = journal_name(generation);
      const std::unique_ptr<File> file = open_journal(generation);
      const JournalReader reader(*file, generation);
      if (reader.error()) unreadable(generation, reader.error());
      if (reader.header_state() == HeaderState::kNewer) {
        refuse(name, "a newer version of this program wrote it",
               "update this program; nothing was changed");
      }
      if (reader.header_state() == HeaderState::kGood) {
        if (reader.header().identity != identity_) refuse_identity(name);
        const SegmentRef ref{generation, reader.header().first_sequence};
        if (!out_.segments.empty() && ref.first_sequence < out_.segments.back().first_sequence) {
          refuse(name, "it begins before the segment that it follows",
                 "restore the folder from a copy; nothing was changed");
        }
        out_.segments.push_back(ref);
        prove(reader);
      } else {
        headless_.push_back({name, reader.highest_seen()});
        prove(reader);
      }
    }
  }

  void prove(const JournalReader& reader) {
    proven_ = std::max(proven_, reader.proven_durable());
    out_.highest_sequence =
        std::max({out_.highest_sequence, reader.highest_seen(), reader.proven_durable()});
  }

  // Visits the records of a segment in (after, limit]; the number of the last one it could reach.
  std::uint64_t walk(const Stretch& stretch, std::uint64_t after, const Visit& visit) {
    const std::uint64_t generation = out_.segments[stretch.segment].generation;
    const std::unique_ptr<File> file = open_journal(generation);
    JournalReader reader(*file, generation);
    reader.start_at(after + 1);
    std::uint64_t last = after;
    bool beyond = false;
    for (JournalRecord record; reader.next(record);) {
      beyond = beyond || record.sequence > stretch.limit;
      if (beyond || record.sequence <= after) continue;
      last = record.sequence;
      visit(record);
    }
    if (reader.error()) unreadable(generation, reader.error());
    prove(reader);
    tail_durable_ = reader.known_durable();
    tail_end_ = reader.end();
    return last;
  }

  // Where the records after mark are. Sets reach_, the last one.
  void follow(std::uint64_t mark) {
    const std::vector<SegmentRef>& segments = out_.segments;
    stretches_.clear();
    reach_ = mark;
    bool whole = true;
    std::size_t begin = 0;
    while (begin + 1 < segments.size() && segments[begin + 1].first_sequence <= mark + 1) ++begin;
    for (std::size_t i = begin; i < segments.size(); ++i) {
      const bool is_last = i + 1 == segments.size();
      const std::uint64_t limit = is_last ? std::numeric_limits<std::uint64_t>::max()
                                          : segments[i + 1].first_sequence - 1;
      whole = whole && segments[i].first_sequence <= reach_ + 1;
      const std::uint64_t last = walk({i, limit}, reach_, [](const JournalRecord&) {});
      if (!whole) continue;  // read all the same: what it proves counts
      stretches_.push_back({i, limit});
      reach_ = last;
      durable_ = std::max(mark, tail_durable_);
    }
    if (stretches_.empty()) durable_ = mark;
  }

  bool load_snapshot(std::uint64_t generation) {
    const std::string name = snapshot_name(generation);
    SnapshotReader reader;
    const SnapshotState state = reader.open(files_, join(folder_, name), generation);
    if (state == SnapshotState::kNewer) {
      refuse(name, reader.reason(), "update this program; nothing was changed");
    }
    if (state != SnapshotState::kGood) {
      return pass_over(name, reader.reason(), state == SnapshotState::kBroken);
    }
    if (reader.header().identity != identity_) refuse_identity(name);
    proven_ = std::max(proven_, reader.newest_mark());
    out_.highest_sequence = std::max(out_.highest_sequence, reader.newest_mark());
    follow(reader.header().mark);
    if (reach_ < reader.newest_mark()) {
      return pass_over(name, "the records that it needs are damaged", true);
    }
    durable_ = std::max(durable_, reader.newest_mark());
    const SnapshotState loaded = load_sections(reader);
    if (loaded != SnapshotState::kGood) {
      return pass_over(name, flaw_, loaded == SnapshotState::kBroken);
    }
    out_.report.snapshot_generation = generation;
    out_.report.snapshot_mark = reader.header().mark;
    return true;
  }

  bool pass_over(const std::string& name, const std::string& reason, bool broken) {
    out_.report.notes.push_back(name + " was passed over: " + reason);
    if (broken) out_.broken_snapshots.push_back(name);
    return false;
  }

  // Sets flaw_ if the answer is not kGood.
  SnapshotState load_sections(SnapshotReader& reader) {
    learner_.begin_load();
    std::vector<std::byte> content;
    for (std::size_t i = 0; i < reader.sections().size(); ++i) {
      const SnapshotSection& section = reader.sections()[i];
      if (section.bytes > learner_.largest_section_bytes()) {
        flaw_ = "a section is larger than the learner's largest";
        return SnapshotState::kBroken;
      }
      content.resize(static_cast<std::size_t>(section.bytes));
      if (const SnapshotState state = reader.read(i, content); state != SnapshotState::kGood) {
        flaw_ = reader.reason();
        return state;
      }
      try {
        learner_.load_section(section.id, section.mark, content);
      } catch (const StateError& error) {
        flaw_ = error.what();
        return SnapshotState::kBroken;
      }
    }
    return SnapshotState::kGood;
  }

  void start_empty() {
    const bool from_the_start =
        out_.segments.empty() ? proven_ == 0 : out_.segments.front().first_sequence == 1;
    if (!from_the_start || (out_.segments.empty() && !snapshots_.empty())) {
      std::string text = "the state in " + folder_ + " cannot be loaded";
      for (const std::string& note : out_.report.notes) text += "; " + note;
      throw StateError(text +
                       "; nothing was changed. Restore the folder from a copy, or choose another");
    }
    follow(0);
    learner_.begin_load();
  }

  Recovered finish() {
    RecoveryReport& report = out_.report;
    std::uint64_t after = report.snapshot_mark;
    for (const Stretch& stretch : stretches_) {
      const std::string name = journal_name(out_.segments[stretch.segment].generation);
      after = walk(stretch, after, [&](const JournalRecord& record) {
        try {
          learner_.replay(record.sequence, record.kind, record.payload);
        } catch (const StateError& error) {
          refuse(name, "record " + std::to_string(record.sequence) + ": " + error.what(),
                 "nothing was changed");
        }
        ++report.records_replayed;
        out_.bytes_replayed += record_bytes(record.payload.size());
      });
    }
    report.last_sequence = after;
    out_.known_durable = std::min(durable_, after);
    if (!stretches_.empty()) out_.tail_generation = out_.segments[stretches_.back().segment].generation;
    for (const Headless& file : headless_) {
      // A crash while a segment was being made leaves nothing that is not elsewhere too.
      report.notes.push_back(file.name + " has no valid header and was passed over");
      (file.highest > after ? out_.damaged_journals : out_.leftovers).push_back(file.name);
    }
    report.damaged = proven_ > after;
    if (report.damaged) {
      note_damage(after);
    } else {
      out_.highest_sequence = after;
      if (tail_end_ == JournalEnd::kTorn) {
        report.notes.push_back("an unfinished write at the end of the journal was dropped");
      }
    }
    learner_.end_load(out_.highest_sequence);
    return out_;
  }

  void note_damage(std::uint64_t last) {
    out_.report.notes.push_back("acknowledged records after number " + std::to_string(last) +
                                " are damaged or missing (up to number " +
                                std::to_string(proven_) + " at least)");
    const std::size_t from = stretches_.empty() ? 0 : stretches_.back().segment;
    for (std::size_t i = from; i < out_.segments.size(); ++i) {
      out_.damaged_journals.push_back(journal_name(out_.segments[i].generation));
    }
  }

  FileSystem& files_;
  const std::string& folder_;
  Persistent& learner_;
  const Hash256 identity_;
  Recovered out_;
  std::vector<std::uint64_t> snapshots_;  // newest first
  std::vector<std::uint64_t> journals_;   // oldest first
  std::string flaw_;
  std::vector<Headless> headless_;  // segments without a valid header
  std::vector<Stretch> stretches_;
  std::uint64_t proven_ = 0;
  std::uint64_t reach_ = 0;
  std::uint64_t durable_ = 0;
  std::uint64_t tail_durable_ = 0;
  JournalEnd tail_end_ = JournalEnd::kClean;
};

}  // namespace

Recovered recover(FileSystem& files, const std::string& folder, Persistent& learner) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    try {
      return Recovery(files, folder, learner).run();
    } catch (const Vanished&) {
    }
  }
  throw StateError("the files in " + folder +
                   " change while they are being read; stop the program that writes them, or copy "
                   "the folder");
}

}  // namespace jackdaw::state
