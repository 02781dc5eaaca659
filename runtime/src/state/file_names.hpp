// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The names of files in a state folder. Every file has a number of its own, its generation; the
// next file gets a higher one, whatever its kind.
//
//   0000000000000007.journal           0000000000000008.snapshot
//   0000000000000009.snapshot.partial  being written, or left behind by a crash
//   0000000000000006.snapshot.broken   set aside, never read again
//
// Anything else in the folder is somebody else's and is left alone.

#include <cstdint>
#include <string>

namespace jackdaw::state {

// Far above what a device can use up, far below where adding one could wrap.
constexpr std::uint64_t kMostGeneration = std::uint64_t{1} << 62U;

enum class FileKind { kJournal, kSnapshot, kPartial, kBroken };

struct FileName {
  FileKind kind = FileKind::kJournal;
  std::uint64_t generation = 0;
};

std::string journal_name(std::uint64_t generation);
std::string snapshot_name(std::uint64_t generation);
std::string partial_name(std::uint64_t generation);
std::string broken_name(const std::string& name);

// False for a name that is not one of ours.
bool parse_name(const std::string& name, FileName& out);

std::string join(const std::string& folder, const std::string& name);

}  // namespace jackdaw::state
