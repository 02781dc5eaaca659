// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Looks at every file of a state folder and says what it is and whether it holds. Needs no lock and
// no learner, and changes nothing.
//
//   for (const InspectedFile& file : inspect_folder(files, "/data/jackdaw")) print(file.text);

#include <cstdint>
#include <string>
#include <vector>

#include "state/file_names.hpp"
#include "state/file_system.hpp"
#include "state/snapshot_format.hpp"

namespace jackdaw::state {

struct InspectedFile {
  std::string name;
  FileKind kind = FileKind::kJournal;
  bool good = false;
  std::string text;  // one line in plain words
  std::uint64_t bytes = 0;
  std::uint64_t generation = 0;
  std::uint64_t first = 0;  // journal: first sequence; snapshot: its mark
  std::uint64_t last = 0;   // journal: last valid sequence; snapshot: its newest mark
  Hash256 identity{};
  std::vector<SnapshotSection> sections;
};

// In order of their names. Throws StateError when the folder cannot be listed.
std::vector<InspectedFile> inspect_folder(FileSystem& files, const std::string& folder);

}  // namespace jackdaw::state
