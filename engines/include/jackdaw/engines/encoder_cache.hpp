// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where encoders are kept: one folder each, with a manifest.json.
//
//   $JACKDAW_CACHE, or $XDG_CACHE_HOME/jackdaw, or ~/.cache/jackdaw
//     encoders/NAME/manifest.json, NAME.onnx, …      made by `jackdaw engine get NAME`
//     engines/…                                      TensorRT engines built from them

#include <string>
#include <vector>

#include "jackdaw/engines/manifest.hpp"

namespace jackdaw {

std::string cache_folder();  // throws EncoderError if none of the three variables is set

// By name from the cache, or by the path of a manifest or of the folder it lies in. Throws
// ManifestError or EncoderError; for a name that is not there, with the command that gets it.
Manifest find_encoder(const std::string& name_or_path);

struct ListedEncoder {
  std::string name;
  std::string folder;
  std::string fault;  // empty if it can be used
  Manifest manifest;  // only if it can
};
std::vector<ListedEncoder> list_encoders();  // in order of their names

}  // namespace jackdaw
