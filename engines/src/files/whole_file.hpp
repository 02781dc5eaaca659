// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small files at once. Writing is atomic: a reader sees the old file or the new one, and after a
// power cut one of the two is there. Both throw FileError, which names the file and the system's
// reason.

#include <string>
#include <string_view>

#include "jackdaw/error.hpp"

namespace jackdaw {

struct FileError : Error {
  using Error::Error;
};

constexpr std::size_t kLargestFile = std::size_t{2} << 30U;  // bytes

std::string read_whole_file(const std::string& path, std::size_t most = kLargestFile);
void write_whole_file(const std::string& path, std::string_view content);

std::string folder_of(const std::string& path);  // what is before the last slash, or "."

}  // namespace jackdaw
