// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/sha256.hpp"
#include "manifest/json_fields.hpp"

namespace jackdaw {
namespace {

using nlohmann::json;

constexpr std::uint64_t kVersion = 1;
constexpr std::uint64_t kMostSide = 4096;
constexpr std::uint64_t kMostOutput = 8192;
constexpr std::uint64_t kMostBatch = 1024;
constexpr std::uint64_t kMostPictures = std::uint64_t{1} << 53;  // what JSON's numbers hold exactly
constexpr std::size_t kMostBytes = 1 << 20;
// Far beyond any real encoder; within it, nothing that is computed from them overflows.
constexpr float kMostMean = 1e6F, kLeastDeviation = 1e-6F, kMostDeviation = 1e6F;

void read_graph(Fields graph, Manifest& m) {
  m.graph_file = graph.file_name("file");
  m.graph_sha256 = graph.sha256("sha256");
  const bool no_half = graph.is_null("half_file");
  if (no_half != graph.is_null("half_sha256")) {
    graph.fail(no_half ? "half_file" : "half_sha256",
               "is null, but the other of half_file and half_sha256 is not; give both or neither");
  }
  if (!no_half) {
    m.half_file = graph.file_name("half_file");
    m.half_sha256 = graph.sha256("half_sha256");
  }
  m.input_name = graph.text("input");
  m.output_name = graph.text("output");
  if (graph.has("changeable")) m.changeable = graph.truth("changeable");
  graph.done();
}

void read_input(Fields input, Manifest& m) {
  m.width = static_cast<std::uint32_t>(input.whole("width", 1, kMostSide));
  m.height = static_cast<std::uint32_t>(input.whole("height", 1, kMostSide));
  const std::string colour = input.one_of("colour", {"rgb", "bgr", "grey"});
  m.colour = colour == "rgb"   ? ColourOrder::kRgb
             : colour == "bgr" ? ColourOrder::kBgr
                               : ColourOrder::kGrey;
  const std::uint64_t channels = m.colour == ColourOrder::kGrey ? 1 : 3;
  if (input.whole("channels", 1, 3) != channels) {
    input.fail("channels", "must be " + std::to_string(channels) + ", because input.colour is \"" +
                               colour + "\"");
  }
  m.channels = static_cast<std::uint32_t>(channels);
  (void)input.one_of("resize", {"stretch"});
  if (input.has("views")) m.views = static_cast<std::uint32_t>(input.whole("views", 1, 2));
  if (input.has("layout") &&
      input.one_of("layout", {"float planes", "byte pixels"}) == "byte pixels") {
    m.layout = InputLayout::kBytePixels;
    m.mean.assign(channels, 0.0F);  // the graph gets 0 to 255
    m.deviation.assign(channels, 1.0F / 255.0F);
    input.done();
    return;
  }
  m.mean = input.numbers("mean", channels, -kMostMean, kMostMean);
  m.deviation = input.numbers("deviation", channels, kLeastDeviation, kMostDeviation);
  input.done();
}

CalibrationNote read_calibration(Fields fields) {
  CalibrationNote note;
  note.pictures = fields.text("pictures");
  note.count = fields.whole("count", 1, kMostPictures);
  note.dimensions = static_cast<std::uint32_t>(fields.whole("dimensions", 1, kMostOutput));
  note.shrinkage = fields.number("shrinkage", 0.0, 1.0);
  note.encoder_sha256 = fields.sha256("encoder_sha256");
  fields.done();
  return note;
}

std::string read_text(const std::string& path) try {
  return read_whole_file(path, kMostBytes);
} catch (const FileError& error) {
  throw ManifestError(std::string(error.what()) + "; give the path of an encoder's manifest.json");
}

std::string hash_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw ManifestError(path + ": it cannot be opened; check who may read it");
  std::vector<char> piece(1 << 20);
  Sha256 hash;
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    hash.add(std::string_view(piece.data(), static_cast<std::size_t>(in.gcount())));
  }
  if (in.bad()) throw ManifestError(path + ": it could not be read to its end; check the disk");
  return to_hex(hash.finish());
}

void check_file(const std::string& manifest, const std::string& field, const std::string& path,
                const std::string& expected) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw ManifestError(manifest + ": " + field + " names " + path +
                        ", which is not there; get the encoder again");
  }
  if (const std::string found = hash_of_file(path); found != expected) {
    throw ManifestError(path + ": its SHA-256 is " + found + ", but " + field + " of " + manifest +
                        " is for " + expected + "; get the encoder again");
  }
}

}  // namespace

Manifest parse_manifest(const std::string& text, const std::string& origin) {
  const json all = parse_strictly(text, origin);
  Fields fields(all, origin, "");
  Manifest m;
  (void)fields.whole("jackdaw_encoder", kVersion, kVersion);
  m.name = fields.file_name("name");
  m.description = fields.text("description");
  m.licence = fields.text("licence");
  (void)fields.object("source");
  read_graph(fields.object("graph"), m);
  read_input(fields.object("input"), m);
  Fields output = fields.object("output");
  m.output_size = static_cast<std::uint32_t>(output.whole("size", 1, kMostOutput));
  output.done();
  m.max_batch = static_cast<std::uint32_t>(fields.whole("max_batch", 1, kMostBatch));
  if (!fields.is_null("calibration")) {
    m.calibration = read_calibration(fields.object("calibration"));
  }
  fields.done();
  return m;
}

Manifest read_manifest(const std::string& path) {
  Manifest m = parse_manifest(read_text(path), path);
  m.folder = std::filesystem::path(path).parent_path().string();
  if (m.folder.empty()) m.folder = ".";
  check_file(path, "graph.file", m.graph_path(), m.graph_sha256);
  if (!m.half_file.empty()) check_file(path, "graph.half_file", m.half_path(), m.half_sha256);
  return m;
}

}  // namespace jackdaw
