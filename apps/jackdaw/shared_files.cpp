// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/shared_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw::app {
namespace {

std::filesystem::path share() {
  if (const char* given = std::getenv("JACKDAW_SHARE"); given != nullptr && *given != '\0') {
    return given;
  }
  std::error_code failed;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  return program.parent_path().parent_path() / "share" / "jackdaw";
}

}  // namespace

std::string find_shared_file(const std::string& name) {
  const std::filesystem::path path = share() / name;
  std::error_code failed;
  return std::filesystem::exists(path, failed) ? path.string() : std::string();
}

std::string shared_file(const std::string& name) {
  std::string path = find_shared_file(name);
  if (path.empty()) {
    throw EncoderError((share() / name).string() +
                       " is missing: install jackdaw again, or set JACKDAW_SHARE to the folder "
                       "that holds it");
  }
  return path;
}

}  // namespace jackdaw::app
