// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An encoder that a test can compute by hand: embedding = weights · pixels, as an ONNX file.
//
//   TinyEncoder tiny;
//   tiny.weights = …;                        // [output][channels][height][width]
//   const Manifest m = read_manifest(tiny.write(folder.path("tiny")));

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "files/whole_file.hpp"
#include "jackdaw/engines/manifest.hpp"
#include "jackdaw/sha256.hpp"
#include "onnx/append_linear.hpp"
#include "onnx/wire.hpp"

namespace jackdaw::testing {

struct TinyEncoder {
  Manifest manifest;
  std::vector<float> weights;  // empty: all 1
  // What the file says about itself; as the manifest has it unless a test lies.
  std::vector<std::uint64_t> input_sizes;
  std::uint32_t output_size = 0;

  TinyEncoder() {
    manifest.name = "tiny";
    manifest.description = "For tests.";
    manifest.licence = "Apache-2.0";
    manifest.graph_file = "tiny.onnx";
    manifest.input_name = "image";
    manifest.output_name = "embedding";
    manifest.width = 4;
    manifest.height = 3;
    manifest.channels = 3;
    manifest.mean = {0.5F, 0.25F, 0.0F};
    manifest.deviation = {0.5F, 1.0F, 2.0F};
    manifest.output_size = 5;
    manifest.max_batch = 6;
  }

  std::string graph() const {
    const bool bytes = manifest.layout == InputLayout::kBytePixels;
    const std::uint64_t c = manifest.channels, h = manifest.height, w = manifest.width;
    const auto usual =
        bytes ? std::vector<std::uint64_t>{0, h, w, c} : std::vector<std::uint64_t>{0, c, h, w};
    const auto& sizes = input_sizes.empty() ? usual : input_sizes;
    onnx::WireWriter cast, to_float, flatten, graph, opset, model;
    if (bytes) {
      to_float.bytes(1, "to");
      to_float.number(3, kFloat);
      to_float.number(20, 2);  // the attribute is a whole number
      cast.bytes(1, manifest.input_name);
      cast.bytes(2, "floats");
      cast.bytes(4, "Cast");
      cast.bytes(5, to_float.data());
      graph.bytes(1, cast.data());
    }
    flatten.bytes(1, bytes ? "floats" : manifest.input_name);
    flatten.bytes(2, "flat");
    flatten.bytes(3, "flat");
    flatten.bytes(4, "Flatten");
    graph.bytes(1, flatten.data());
    graph.bytes(2, "tiny");
    graph.bytes(11, value(manifest.input_name, sizes, bytes ? kUint8 : kFloat));
    graph.bytes(12, value("flat", {0, 0}));
    opset.number(2, 10);
    model.number(1, 5);  // IR version
    model.bytes(7, graph.data());
    model.bytes(8, opset.data());
    std::uint64_t pixels = 1;
    for (std::size_t i = 1; i < sizes.size(); ++i) pixels *= sizes[i];
    const std::uint32_t rows = output_size == 0 ? manifest.output_size : output_size;
    const std::vector<float> ones(pixels * rows, 1.0F), zeros(rows, 0.0F);
    onnx::Linear layer;
    layer.input = "flat";
    layer.output = manifest.output_name;
    layer.rows = rows;
    layer.columns = static_cast<std::uint32_t>(pixels);
    layer.weights = weights.empty() ? ones : weights;
    layer.bias = zeros;
    return onnx::append_linear(model.data(), layer);
  }

  // Makes the folder with both files; the path of the manifest.
  std::string write(const std::string& folder) { return write(folder, graph()); }
  std::string write(const std::string& folder, const std::string& graph_bytes) {
    std::filesystem::create_directories(folder);
    manifest.folder = folder;
    manifest.graph_sha256 = sha256_hex(graph_bytes);
    std::ofstream(manifest.graph_path(), std::ios::binary) << graph_bytes;
    std::ofstream(folder + "/manifest.json", std::ios::binary) << write_manifest(manifest, "{}");
    return folder + "/manifest.json";
  }

 private:
  static constexpr std::uint64_t kFloat = 1, kUint8 = 2;  // TensorProto.DataType

  // ValueInfoProto; 0 is a size that is left open.
  static std::string value(const std::string& name, const std::vector<std::uint64_t>& sizes,
                           std::uint64_t element = kFloat) {
    onnx::WireWriter shape, tensor, type, out;
    for (const std::uint64_t size : sizes) {
      onnx::WireWriter dimension;
      if (size == 0) {
        dimension.bytes(2, "any");
      } else {
        dimension.number(1, size);
      }
      shape.bytes(1, dimension.data());
    }
    tensor.number(1, element);
    tensor.bytes(2, shape.data());
    type.bytes(1, tensor.data());
    out.bytes(1, name);
    out.bytes(2, type.data());
    return out.data();
  }
};

}  // namespace jackdaw::testing
