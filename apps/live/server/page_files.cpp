// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/server/page_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "jackdaw/error.hpp"

namespace jackdaw::live {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{4} << 20;

constexpr std::pair<std::string_view, const char*> kTypes[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".webmanifest", "application/manifest+json"}};

const char* type_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const auto& [ending, type] : kTypes) {
    if (extension == ending) return type;
  }
  return nullptr;
}

bool plain_name(const std::string& name) {
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

}  // namespace

PageFiles::PageFiles(const std::string& folder) {
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    const std::string name = entry.path().filename().string();
    const char* type = type_of(entry.path());
    std::error_code ignored;
    if (type == nullptr || !plain_name(name) || !entry.is_regular_file(ignored)) continue;
    if (entry.file_size(ignored) > kLargest) {
      throw SettingsError("the page's file " + entry.path().string() + " is larger than 4 MiB");
    }
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(in), {});
    if (!in) throw SettingsError("cannot read the page's file " + entry.path().string());
    files_["/" + name] = {type, std::make_shared<const std::string>(std::move(text))};
  }
  const auto index = files_.find("/index.html");
  if (index == files_.end()) {
    throw SettingsError("there is no page in " + folder + " (no index.html" +
                        (fault ? ": " + fault.message() : std::string()) +
                        "); it is installed in share/jackdaw beside the program");
  }
  files_["/"] = index->second;
}

const PageFile* PageFiles::find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? nullptr : &found->second;
}

}  // namespace jackdaw::live
