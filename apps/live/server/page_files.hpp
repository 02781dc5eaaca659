// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The page's own files, read once; what is not in memory then is never looked for on the disk.
//
//   PageFiles page("apps/live/page");          // throws SettingsError without an index.html
//   const PageFile* file = page.find("/");     // index.html

#include <map>
#include <string>
#include <string_view>

#include "live/control.hpp"

namespace jackdaw::live {

struct PageFile {
  const char* content_type;
  Bytes body;
};

class PageFiles {
 public:
  PageFiles() = default;  // none at all
  // Every file in the folder itself that a page is made of: html, js, css, svg, png, ico,
  // webmanifest.
  explicit PageFiles(const std::string& folder);
  const PageFile* find(std::string_view path) const;

 private:
  std::map<std::string, PageFile, std::less<>> files_;  // by path
};

}  // namespace jackdaw::live
