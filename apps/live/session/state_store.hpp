// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The folder that --state names, and state files from elsewhere.
//
//   STATE/learner/              the learner's journal and snapshots
//   STATE/thumbnails/           a picture of each class
//   STATE/region                the part of the picture that counts, if not all of it
//   STATE/before-import-N/      what was there before a state file replaced it; the last three
//   STATE/incoming/             while a file is taken in
//
// Nothing here needs the frame loop, except that nobody teaches while a state is exchanged.

#include <optional>
#include <string>

#include "jackdaw/learner.hpp"
#include "jackdaw/span.hpp"
#include "live/control.hpp"

namespace jackdaw::live {

class StateStore {
 public:
  explicit StateStore(std::string folder);  // makes it; throws StateError

  std::string learner_folder() const { return folder_ + "/learner"; }
  std::string thumbnail_folder() const { return folder_ + "/thumbnails"; }
  const std::string& folder() const { return folder_; }

  // Losing it loses nothing that was learned, so a fault here is not worth an error.
  void save_region(const std::optional<Region>& region) const;
  std::optional<Region> load_region() const;

  // All that `learner` knows, as one file.
  std::string pack(const Learner& learner) const;

  // Checks a file against the settings that are in use, and prepares what is to replace the
  // learner's folder: the file alone, or what is in the folder with the file added. Throws
  // StateError with one sentence for people.
  void prepare(Span<const std::byte> file, const LearnerSettings& ours, bool merge) const;
  // Exchanges the two at once; the learner must be closed. Where the state from before is now.
  // Throws StateError; then nothing has changed.
  std::string exchange() const;
  // Undoes exchange(), which said where.
  void exchange_back(const std::string& before) const;
  void prune_backups() const noexcept;  // once the new state is known to be good

 private:
  std::string incoming() const { return folder_ + "/incoming"; }
  std::string next_backup() const;

  std::string folder_;
};

}  // namespace jackdaw::live
