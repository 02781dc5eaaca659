// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <nlohmann/json.hpp>

#include "files/whole_file.hpp"
#include "jackdaw/engines/calibration.hpp"
#include "jackdaw/sha256.hpp"
#include "onnx/append_linear.hpp"
#include "onnx/wire.hpp"

namespace jackdaw {
namespace {

constexpr const char* kOutput = "calibrated";

// Returns the new file's SHA-256.
std::string extend(const std::string& from, const onnx::Linear& layer, const std::string& to) {
  std::string larger;
  try {
    larger = onnx::append_linear(read_whole_file(from), layer);
  } catch (const onnx::WireError& error) {
    throw ManifestError(from + ": " + error.what() + "; get the encoder again");
  }
  write_whole_file(to, larger);
  return sha256_hex(larger);
}

}  // namespace

// projection (x - mean) = projection x + bias
CalibrationLayer layer_of(const Calibration& c) {
  CalibrationLayer layer;
  for (const Half element : c.projection) layer.weights.push_back(to_float(element));
  for (std::size_t d = 0; d < c.note.dimensions; ++d) {
    double sum = 0.0;
    for (std::size_t i = 0; i < c.features; ++i) {
      sum -=
          static_cast<double>(layer.weights[d * c.features + i]) * static_cast<double>(c.mean[i]);
    }
    layer.bias.push_back(static_cast<float>(sum));
  }
  return layer;
}

std::string calibration_path(const Manifest& calibrated) {
  return calibrated.folder + "/calibration";
}

void check_calibratable(const Manifest& encoder) {
  if (encoder.calibration) {
    throw ManifestError(encoder.name + " is calibrated already; give the encoder it came from");
  }
  if (!encoder.changeable) {
    throw ManifestError("the licence of " + encoder.name + " (" + encoder.licence +
                        ") allows no changed copies, and a calibration changes the graph; use it " +
                        "as it is, or calibrate another encoder");
  }
}

Manifest fold_calibration(const Manifest& encoder, const Calibration& c,
                          const std::string& folder) {
  check_calibratable(encoder);
  if (c.features != encoder.output_size || c.note.encoder_sha256 != encoder.graph_sha256) {
    throw ManifestError("the calibration was made for another graph (" +
                        std::to_string(c.features) + " features, SHA-256 " + c.note.encoder_sha256 +
                        ") than " + encoder.name + " has (" + std::to_string(encoder.output_size) +
                        ", " + encoder.graph_sha256 + "); calibrate again");
  }
  const CalibrationLayer numbers = layer_of(c);
  const onnx::Linear layer{encoder.output_name, kOutput,         c.note.dimensions,
                           c.features,          numbers.weights, numbers.bias};

  Manifest out = encoder;
  out.folder = folder;
  out.name = std::filesystem::path(folder).filename().string();
  out.output_name = kOutput;
  out.output_size = c.note.dimensions;
  out.calibration = c.note;
  std::filesystem::create_directories(folder);
  out.graph_file = out.name + ".onnx";
  out.graph_sha256 = extend(encoder.graph_path(), layer, out.graph_path());
  if (!encoder.half_file.empty()) {
    out.half_file = out.name + ".fp16.onnx";
    out.half_sha256 = extend(encoder.half_path(), layer, out.half_path());
  }
  const std::string licence = encoder.folder + "/LICENCE";  // goes with the weights
  std::error_code ignored;
  if (std::filesystem::exists(licence, ignored)) {
    write_whole_file(folder + "/LICENCE", read_whole_file(licence));
  }
  write_calibration(c, calibration_path(out));
  const nlohmann::json source = {{"encoder", encoder.name}, {"sha256", encoder.graph_sha256}};
  write_whole_file(folder + "/manifest.json", write_manifest(out, source.dump()));
  return out;
}

}  // namespace jackdaw
