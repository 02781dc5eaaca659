// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Deletes what no recovery needs any more. Called only when the newest snapshot in good is durable.
//
// Kept: the two newest good snapshots, every journal segment needed to roll forward from the older
// of them, and the eight newest files that were set aside. With fewer than two good snapshots
// nothing is deleted.

#include <cstdint>
#include <string>
#include <vector>

#include "state/file_system.hpp"
#include "state/journal_writer.hpp"

namespace jackdaw::state {

struct GoodSnapshot {
  std::uint64_t generation = 0;
  std::uint64_t mark = 0;
};

// good: newest first. segments: oldest first. Returns the generation of the oldest segment needed.
std::uint64_t prune(FileSystem& files, const std::string& folder,
                    const std::vector<GoodSnapshot>& good, const std::vector<SegmentRef>& segments);

}  // namespace jackdaw::state
