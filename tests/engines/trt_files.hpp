// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole files and plans as text, and a toy encoder, for the tests of the engine cache and the
// module.

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/sha256.hpp"
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

// An encoder of 8x8 pixels and 4 numbers, whose graph is no graph.
inline Manifest toy_manifest(const TemporaryFolder& folder) {
  const std::string onnx = "a graph";
  write_file(folder / "toy.onnx", onnx);
  Manifest manifest;
  manifest.folder = root_of(folder);
  manifest.name = "toy";
  manifest.graph_file = "toy.onnx";
  manifest.graph_sha256 = sha256_hex(onnx);
  manifest.input_name = "image";
  manifest.output_name = "embedding";
  manifest.width = manifest.height = 8;
  manifest.channels = 3;
  manifest.mean = {0, 0, 0};
  manifest.deviation = {1, 1, 1};
  manifest.output_size = 4;
  manifest.max_batch = 3;
  return manifest;
}

}  // namespace jackdaw::trt::test
