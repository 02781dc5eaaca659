// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files and plans as text, for the tests of the engine cache.

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "jackdaw/span.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::trt::test {

using testing::TemporaryFolder;

inline std::string operator/(const TemporaryFolder& folder, const std::string& name) {
  return folder.path(name);
}

// The folder itself, without a slash at the end.
inline std::string root_of(const TemporaryFolder& folder) {
  const std::string path = folder.path("");
  return path.substr(0, path.size() - 1);
}

inline std::size_t count_files(const TemporaryFolder& folder) {
  return testing::files_in(root_of(folder)).size();
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Keeps owner and mode of a file that is there.
inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  REQUIRE(out.good());
}

inline Span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string text_of(Span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace jackdaw::trt::test
