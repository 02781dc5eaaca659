// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/engines/picture_folder.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {
namespace {

bool is_picture(const std::filesystem::path& path) {
  static const char* const kEndings[] = {".png", ".jpg", ".jpeg", ".webp", ".bmp",
                                         ".pgm", ".ppm", ".tif",  ".tiff"};
  std::string ending = path.extension().string();
  for (char& letter : ending) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return std::find(std::begin(kEndings), std::end(kEndings), ending) != std::end(kEndings);
}

}  // namespace

std::vector<std::string> list_pictures(const std::string& folder,
                                       std::vector<std::string>* left_out) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  try {
    for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::end(entry); ++entry) {
      std::error_code ignored;  // of a link that leads nowhere, which is no folder then
      const bool is_folder = entry->is_directory(ignored);
      const bool hidden = entry->path().filename().string().front() == '.';
      if (hidden && is_folder) entry.disable_recursion_pending();
      if (hidden || (is_folder && !entry->is_symlink())) continue;
      // Whether it can be read is found out by whoever reads it, and said.
      if (!is_folder && is_picture(entry->path())) {
        found.push_back(entry->path().string());
      } else if (left_out != nullptr) {
        left_out->push_back(entry->path().string());
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw EncoderError(folder + ": cannot be read: " + error.code().message());
  }
  if (found.empty()) {
    throw EncoderError(folder + ": holds no pictures (.png, .jpg, .webp, .bmp, .pgm, .tif)");
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace jackdaw
