// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "opencv/graph_check.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "jackdaw/engines/encoder.hpp"
#include "onnx/wire.hpp"

namespace jackdaw {
namespace {

using onnx::WireReader;

constexpr std::uint64_t kOpen = 0;  // a size that the file does not fix
constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kMostNumbers = std::uint64_t{1} << 40U;  // of a constant

struct Value {
  std::string name;
  std::uint64_t type = 0;
  bool has_shape = false;
  std::vector<std::uint64_t> sizes;
};

struct Graph {
  std::vector<Value> inputs, outputs;
  std::set<std::string> constants;
};

// The first field of that number; empty if there is none.
std::string_view field(std::string_view message, std::uint32_t number) {
  for (WireReader reader(message); reader.next();) {
    if (reader.field() == number) return reader.bytes();
  }
  return {};
}

std::uint64_t bytes_of_type(std::uint64_t type) {
  constexpr std::uint8_t kBytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8};
  return type < std::size(kBytes) ? kBytes[type] : 0;
}

// How many numbers a list holds that is written as varints without a tag each.
std::uint64_t varints(std::string_view packed) {
  return static_cast<std::uint64_t>(std::count_if(packed.begin(), packed.end(), [](char c) {
    return (static_cast<unsigned>(c) & 0x80U) == 0;
  }));
}

// OpenCV 4.6 reads as many numbers as the sizes ask for, also behind the end of what is there.
// TensorProto: size 1, type 2, numbers 4 (float), 5 (32 bits), 7 (64 bits), 10 (double), name 8,
// raw 9, elsewhere 13.
void check_tensor(std::string_view message) {
  std::uint64_t wanted = 1, there = 0, type = 0, raw = 0;
  const auto grow = [&](std::uint64_t size) {
    wanted = size == 0 || wanted <= kMostNumbers / size ? wanted * size : kMostNumbers + 1;
  };
  for (WireReader reader(message); reader.next();) {
    const std::string_view bytes = reader.bytes();
    const bool packed = !bytes.empty();
    switch (reader.field()) {
      case 1:
        if (packed) throw onnx::WireError("the sizes of a constant are packed");
        grow(reader.number());
        break;
      case 2:
        type = reader.number();
        break;
      case 4:
        there += packed ? bytes.size() / 4 : 1;
        break;
      case 5:
      case 7:
        there += packed ? varints(bytes) : 1;
        break;
      case 10:
        there += packed ? bytes.size() / 8 : 1;
        break;
      case 9:
        raw = bytes.size();
        break;
      case 13:
        throw onnx::WireError("a constant is in another file");
      default:
        break;
    }
  }
  const std::uint64_t size = bytes_of_type(type);
  if (size == 0) throw onnx::WireError("a constant is of an unknown type");
  if (raw != 0) there = raw % size == 0 ? raw / size : kMostNumbers + 2;
  if (there != wanted) {
    throw onnx::WireError("the constant \"" + std::string(field(message, 8)) +
                          "\" has not as many numbers as its sizes say");
  }
}

// NodeProto: attribute 5; AttributeProto: tensor 5, tensors 10.
void check_node(std::string_view message) {
  for (WireReader node(message); node.next();) {
    if (node.field() != 5) continue;
    for (WireReader attribute(node.bytes()); attribute.next();) {
      if (attribute.field() == 5 || attribute.field() == 10) check_tensor(attribute.bytes());
    }
  }
}

// ValueInfoProto: name 1, type 2; its tensor type 1: element type 1, shape 2; dimension 1: value 1.
Value read_value(std::string_view message) {
  Value value;
  value.name = std::string(field(message, 1));
  for (WireReader tensor(field(field(message, 2), 1)); tensor.next();) {
    if (tensor.field() == 1) value.type = tensor.number();
    if (tensor.field() != 2) continue;
    value.has_shape = true;
    for (WireReader shape(tensor.bytes()); shape.next();) {
      std::uint64_t size = kOpen;
      for (WireReader dimension(shape.bytes()); dimension.next();) {
        if (dimension.field() == 1) size = dimension.number();
      }
      value.sizes.push_back(size);
    }
  }
  return value;
}

// ModelProto: graph 7; GraphProto: node 1, initializer 5 (its name 8), input 11, output 12.
Graph read_graph(std::string_view file) {
  Graph graph;
  for (WireReader reader(field(file, 7)); reader.next();) {
    if (reader.field() == 1) check_node(reader.bytes());
    if (reader.field() == 5) {
      check_tensor(reader.bytes());
      graph.constants.emplace(field(reader.bytes(), 8));
    }
    if (reader.field() == 11) graph.inputs.push_back(read_value(reader.bytes()));
    if (reader.field() == 12) graph.outputs.push_back(read_value(reader.bytes()));
  }
  const auto is_constant = [&](const Value& v) { return graph.constants.count(v.name) != 0; };
  graph.inputs.erase(std::remove_if(graph.inputs.begin(), graph.inputs.end(), is_constant),
                     graph.inputs.end());
  return graph;
}

std::string shown(const std::vector<std::uint64_t>& sizes) {
  std::string text;
  for (const std::uint64_t size : sizes) {
    text += (text.empty() ? "" : ", ") + (size == kOpen ? "any" : std::to_string(size));
  }
  return "[" + text + "]";
}

const Value& only(const std::vector<Value>& values, const std::string& name, const char* what,
                  const std::string& path) {
  std::string names;
  for (const Value& value : values) names += (names.empty() ? "\"" : ", \"") + value.name + "\"";
  if (values.size() != 1 || values[0].name != name) {
    throw EncoderError(path + ": its " + what + "s are: " + (names.empty() ? "none" : names) +
                       "; the manifest's graph." + what + " is \"" + name +
                       "\", and there must be no other");
  }
  return values[0];
}

void check_value(const Value& value, const std::vector<std::uint64_t>& wanted, const char* what,
                 const std::string& path) {
  if (value.type != kFloat) {
    throw EncoderError(path + ": its " + what + " is not of 32-bit floats; export it so");
  }
  if (!value.has_shape) return;
  std::vector<std::uint64_t> sizes = value.sizes;
  while (sizes.size() > wanted.size() && sizes.back() == 1) sizes.pop_back();  // [batch, d, 1, 1]
  bool fits = sizes.size() == wanted.size();
  for (std::size_t i = 1; fits && i < sizes.size(); ++i) {
    fits = sizes[i] == kOpen || sizes[i] == wanted[i];
  }
  if (!fits) {
    throw EncoderError(path + ": its " + what + " \"" + value.name + "\" is " + shown(value.sizes) +
                       ", but the manifest says " + shown(wanted) +
                       "; correct the manifest or export the graph again");
  }
}

}  // namespace

void check_graph(std::string_view file, const Manifest& m) {
  const std::string path = m.graph_path();
  Graph graph;
  try {
    graph = read_graph(file);
  } catch (const onnx::WireError& error) {
    throw EncoderError(path + ": it is not an ONNX file that can be used: " + error.what());
  }
  if (graph.inputs.empty() && graph.outputs.empty()) {
    throw EncoderError(path + ": it is not an ONNX file: there is no graph in it");
  }
  check_value(only(graph.inputs, m.input_name, "input", path),
              {kOpen, m.channels, m.height, m.width}, "input", path);
  check_value(only(graph.outputs, m.output_name, "output", path), {kOpen, m.output_size}, "output",
              path);
}

}  // namespace jackdaw
