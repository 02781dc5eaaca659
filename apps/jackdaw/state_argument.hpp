// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A state folder as people name it: the learner's own, or the camera app's, which holds the
// learner's in learner/. And what the camera app takes where nothing is named.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "jackdaw/error.hpp"

namespace jackdaw::app {

inline constexpr const char* kDefaultEncoder = "efficientnet-lite0@cifar100-256";

inline std::string default_state_folder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::string(state) + "/jackdaw/camera";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::string(home) + "/.local/state/jackdaw/camera";
  }
  throw SettingsError("--state DIR is needed: neither XDG_STATE_HOME nor HOME names a folder");
}

inline std::string learner_folder(const std::string& named) {
  const std::filesystem::path within = std::filesystem::path(named) / "learner";
  std::error_code ignored;
  return std::filesystem::is_directory(within, ignored) ? within.string() : named;
}

}  // namespace jackdaw::app
