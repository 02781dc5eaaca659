// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/inspect.hpp"

#include <algorithm>
#include <memory>

#include "jackdaw/error.hpp"
#include "state/journal_reader.hpp"
#include "state/snapshot_reader.hpp"

namespace jackdaw::state {
namespace {

void inspect_snapshot(FileSystem& files, const std::string& path, InspectedFile& out) {
  SnapshotReader reader;
  out.good = reader.open(files, path, out.generation) == SnapshotState::kGood;
  out.text = out.good ? "snapshot of " + std::to_string(reader.sections().size()) +
                            " sections, begun after record " + std::to_string(reader.header().mark)
                      : "snapshot that cannot be used: " + reader.reason();
  if (!out.good) return;
  out.first = reader.header().mark;
  out.last = reader.newest_mark();
  out.identity = reader.header().identity;
  out.sections = reader.sections();
}

void inspect_journal(File& file, InspectedFile& out) {
  JournalReader reader(file, out.generation);
  for (JournalRecord record; reader.next(record);) {
  }
  if (reader.error()) {
    out.text = "journal that cannot be read: " + reader.error().text();
  } else if (reader.header_state() == HeaderState::kNewer) {
    out.text = "journal written by a newer version of this program";
  } else if (reader.header_state() == HeaderState::kBroken) {
    out.text = "journal without a valid header: unfinished or damaged";
  } else {
    out.first = reader.header().first_sequence;
    out.last = reader.last();
    out.identity = reader.header().identity;
    out.good = reader.end() != JournalEnd::kCorrupt;
    out.text = "journal of records " + std::to_string(out.first) + " to " +
               std::to_string(out.last) + (out.last < out.first ? " (none)" : "");
    if (reader.end() == JournalEnd::kTorn) out.text += ", then an unfinished write";
    if (reader.end() == JournalEnd::kCorrupt) out.text += ", then damage";
  }
}

}  // namespace

std::vector<InspectedFile> inspect_folder(FileSystem& files, const std::string& folder) {
  std::vector<std::string> names;
  if (const IoError error = files.list(folder, names)) {
    throw StateError("the state folder " + folder + " cannot be listed: " + error.text() +
                     "; check that it exists and may be read");
  }
  std::sort(names.begin(), names.end());
  std::vector<InspectedFile> found;
  for (const std::string& name : names) {
    FileName parsed;
    if (!parse_name(name, parsed)) continue;
    InspectedFile out;
    out.name = name;
    out.kind = parsed.kind;
    out.generation = parsed.generation;
    std::unique_ptr<File> file;
    if (const IoError error = files.open(join(folder, name), file)) {
      out.text = "cannot be opened: " + error.text();
    } else if (const IoError size_error = file->size(out.bytes)) {
      out.text = "cannot be read: " + size_error.text();
    } else if (parsed.kind == FileKind::kSnapshot) {
      inspect_snapshot(files, join(folder, name), out);
    } else if (parsed.kind == FileKind::kJournal) {
      inspect_journal(*file, out);
    } else {
      out.text = parsed.kind == FileKind::kPartial ? "snapshot that was never finished"
                                                   : "set aside because it was damaged";
    }
    found.push_back(std::move(out));
  }
  return found;
}

}  // namespace jackdaw::state
