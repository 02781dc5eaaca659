// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "onnx/append_linear.hpp"

#include <cstring>
#include <initializer_list>

#include "onnx/wire.hpp"

namespace jackdaw::onnx {
namespace {

// Field numbers of onnx.proto.
namespace model {
constexpr std::uint32_t kGraph = 7;
}
namespace graph {
constexpr std::uint32_t kNode = 1, kInitializer = 5, kOutput = 12;
}
namespace node {
constexpr std::uint32_t kInput = 1, kOutput = 2, kName = 3, kOperator = 4, kAttribute = 5;
}
namespace attribute {
constexpr std::uint32_t kName = 1, kInteger = 3, kKind = 20;
constexpr std::uint64_t kIsInteger = 2;
}  // namespace attribute
namespace tensor {
constexpr std::uint32_t kDimension = 1, kType = 2, kName = 8, kRaw = 9;
}
constexpr std::uint64_t kFloat = 1;  // TensorProto.DataType

std::string float_tensor(const std::string& name, std::initializer_list<std::uint32_t> sizes,
                         Span<const float> values) {
  static_assert(sizeof(float) == 4, "raw data is little-endian float32");
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  WireWriter out;
  for (const std::uint32_t size : sizes) out.number(tensor::kDimension, size);
  out.number(tensor::kType, kFloat);
  out.bytes(tensor::kName, name);
  out.bytes(tensor::kRaw, raw);
  return out.data();
}

// Gemm with the weights transposed: the one form that OpenCV 4.5 and TensorRT 8.5 both read.
std::string gemm(const Linear& layer, const std::string& weights, const std::string& bias) {
  WireWriter transposed;
  transposed.bytes(attribute::kName, "transB");
  transposed.number(attribute::kInteger, 1);
  transposed.number(attribute::kKind, attribute::kIsInteger);
  WireWriter out;
  out.bytes(node::kInput, layer.input);
  out.bytes(node::kInput, weights);
  out.bytes(node::kInput, bias);
  out.bytes(node::kOutput, layer.output);
  out.bytes(node::kName, layer.output);
  out.bytes(node::kOperator, "Gemm");
  out.bytes(node::kAttribute, transposed.data());
  return out.data();
}

// ValueInfoProto: name, then a tensor type of float with the shape [batch, rows].
std::string output_of(const Linear& layer) {
  WireWriter batch, rows, shape, type, kind, out;
  batch.bytes(2, "batch");     // dim_param
  rows.number(1, layer.rows);  // dim_value
  shape.bytes(1, batch.data());
  shape.bytes(1, rows.data());
  type.number(1, kFloat);  // elem_type
  type.bytes(2, shape.data());
  kind.bytes(1, type.data());  // tensor_type
  out.bytes(1, layer.output);
  out.bytes(2, kind.data());
  return out.data();
}

std::string name_of(std::string_view value_info) {
  for (WireReader reader(value_info); reader.next();) {
    if (reader.field() == 1) return std::string(reader.bytes());
  }
  return {};
}

std::string extend(std::string_view old, const Linear& layer) {
  WireWriter out;
  std::size_t outputs = 0;
  for (WireReader reader(old); reader.next();) {
    if (reader.field() != graph::kOutput) {
      out.copy(reader);
      continue;
    }
    ++outputs;
    if (const std::string name = name_of(reader.bytes()); name != layer.input) {
      throw WireError("the graph's output is \"" + name + "\", not \"" + layer.input + "\"");
    }
  }
  if (outputs != 1) throw WireError("the graph has " + std::to_string(outputs) + " outputs, not 1");
  const std::string weights = layer.output + ".weights";
  const std::string bias = layer.output + ".bias";
  out.bytes(graph::kInitializer, float_tensor(weights, {layer.rows, layer.columns}, layer.weights));
  out.bytes(graph::kInitializer, float_tensor(bias, {layer.rows}, layer.bias));
  out.bytes(graph::kNode, gemm(layer, weights, bias));
  out.bytes(graph::kOutput, output_of(layer));
  return out.data();
}

}  // namespace

std::string append_linear(std::string_view file, const Linear& layer) {
  WireWriter out;
  bool found = false;
  for (WireReader reader(file); reader.next();) {
    if (reader.field() != model::kGraph) {
      out.copy(reader);
      continue;
    }
    if (found) throw WireError("there are two graphs");
    found = true;
    out.bytes(model::kGraph, extend(reader.bytes(), layer));
  }
  if (!found) throw WireError("there is no graph");
  return out.data();
}

}  // namespace jackdaw::onnx
