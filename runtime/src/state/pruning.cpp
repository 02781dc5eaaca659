// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "state/pruning.hpp"

#include <algorithm>

#include "jackdaw/log.hpp"
#include "state/file_names.hpp"

namespace jackdaw::state {
namespace {

constexpr int kKeptAside = 8;

}  // namespace

std::uint64_t prune(FileSystem& files, const std::string& folder,
                    const std::vector<GoodSnapshot>& good,
                    const std::vector<SegmentRef>& segments) {
  if (good.size() < 2 || segments.empty()) return 0;
  const GoodSnapshot& older = good[1];
  std::uint64_t needed = segments.front().generation;
  for (const SegmentRef& segment : segments) {
    if (segment.first_sequence <= older.mark + 1) needed = segment.generation;
  }

  std::vector<std::string> names;
  if (const IoError error = files.list(folder, names)) {
    log(LogLevel::kWarning, "old state files in " + folder + " stay: " + error.text());
    return 0;
  }
  std::sort(names.rbegin(), names.rend());
  int set_aside = 0;
  for (const std::string& name : names) {
    FileName file;
    if (!parse_name(name, file)) continue;
    const bool old = (file.kind == FileKind::kJournal && file.generation < needed) ||
                     (file.kind == FileKind::kSnapshot && file.generation < good[0].generation &&
                      file.generation != older.generation) ||
                     (file.kind == FileKind::kPartial && file.generation < good[0].generation) ||
                     (file.kind == FileKind::kBroken && ++set_aside > kKeptAside);
    if (!old) continue;
    if (const IoError error = files.remove(join(folder, name))) {
      log(LogLevel::kWarning,
          "the old state file " + join(folder, name) + " could not be deleted: " + error.text());
    }
  }
  return needed;
}

}  // namespace jackdaw::state
