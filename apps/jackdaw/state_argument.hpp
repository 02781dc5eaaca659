// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A state folder as people name it: the learner's own, or the camera app's, which holds the
// learner's in learner/.

#include <filesystem>
#include <string>

namespace jackdaw::app {

inline std::string learner_folder(const std::string& named) {
  const std::filesystem::path within = std::filesystem::path(named) / "learner";
  std::error_code ignored;
  return std::filesystem::is_directory(within, ignored) ? within.string() : named;
}

}  // namespace jackdaw::app
