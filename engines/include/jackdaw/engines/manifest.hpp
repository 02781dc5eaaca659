// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an encoder is: a JSON file next to an ONNX file. Everything that decides what an embedding
// means is in it, so its hash is what learned state is bound to.
//
//   const Manifest m = read_manifest("…/efficientnet-lite0/manifest.json");   // throws
//   ManifestError m.output_size;   m.graph_path();

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jackdaw/error.hpp"

namespace jackdaw {

// A manifest cannot be read or trusted; the text names the file and the field.
struct ManifestError : Error {
  using Error::Error;
};

enum class ColourOrder : std::uint8_t { kRgb, kBgr, kGrey };

// What a graph's input looks like.
enum class InputLayout : std::uint8_t {
  kFloatPlanes,  // normalised floats, [batch][channels][height][width]
  kBytePixels,   // bytes as they are, [batch][height][width][channels]; the graph normalises them
};

// What the last layer does to the pooled features, and from which pictures that was computed.
struct CalibrationNote {
  std::string pictures;          // for people: "cifar100/train"
  std::uint64_t count = 0;       // how many
  std::uint32_t dimensions = 0;  // what comes out
  double shrinkage = 0.0;
  std::string encoder_sha256;  // of the graph it was computed with
};

struct Manifest {
  std::string folder;  // where the manifest lies; not part of it
  std::string name;
  std::string description;
  std::string licence;
  std::string graph_file, graph_sha256;  // float
  std::string half_file, half_sha256;    // 16-bit, for TensorRT; empty if there is none
  bool changeable = true;                // false: its licence allows no changed copies of it
  std::string input_name, output_name;
  std::uint32_t width = 0, height = 0, channels = 0;
  ColourOrder colour = ColourOrder::kRgb;
  InputLayout layout = InputLayout::kFloatPlanes;
  // value = (pixel/255 - mean)/deviation, one of each a channel, in the order of `colour`
  std::vector<float> mean, deviation;
  // 2: the frame, and its middle seven eighths in the mirror; the embedding is their mean direction
  std::uint32_t views = 1;
  std::uint32_t output_size = 0;
  std::uint32_t max_batch = 0;
  std::optional<CalibrationNote> calibration;

  std::string graph_path() const { return folder + "/" + graph_file; }
  std::string half_path() const { return folder + "/" + half_file; }
};

// Reads and validates every field; the hashes of the files it names are checked, too.
Manifest read_manifest(const std::string& path);
// The same from text; `origin` is what errors call it. Does not look at files.
Manifest parse_manifest(const std::string& text, const std::string& origin);
// As read_manifest reads it; `source` (a JSON object as text) is carried over as it is.
std::string write_manifest(const Manifest& manifest, const std::string& source_json);

// SHA-256 of what decides the meaning of an embedding: the graph, the input's and the output's
// fields. The same encoder in another folder has the same.
std::string encoder_hash(const Manifest& manifest);

}  // namespace jackdaw
