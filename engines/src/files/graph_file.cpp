// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "files/graph_file.hpp"

#include "files/whole_file.hpp"
#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {

std::string read_graph_file(const Manifest& manifest) try {
  return read_whole_file(manifest.graph_path());
} catch (const FileError& error) {
  throw EncoderError(std::string(error.what()) + "; get the encoder again");
}

}  // namespace jackdaw
