// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "ort/ort_graph.hpp"

#include <vector>

namespace jackdaw::ort {
namespace {

struct Tensor {
  std::string name;
  int type = 0;
  std::vector<std::int64_t> sizes;  // below 1: left open
};

std::string describe(const Tensor& tensor) {
  std::string text = tensor.name + ": " +
                     (tensor.type == kFloat   ? "float"
                      : tensor.type == kUint8 ? "uint8"
                                              : "type " + std::to_string(tensor.type));
  for (const std::int64_t size : tensor.sizes) {
    text += size < 1 ? " x any" : " x " + std::to_string(size);
  }
  return text;
}

// The only one: an encoder has one input and one output.
template <class Count, class Info, class Name>
Tensor only(const OrtLibrary& ort, const Session& session, const char* which, const Count& count,
            const Info& info, const Name& name) {
  const Table table = ort.table();
  std::size_t number = 0;
  ort.check(count(table, &session, &number), "count inputs and outputs");
  if (number != 1) {
    throw EncoderError("the graph has " + std::to_string(number) + " " + which +
                       "s; an encoder has one");
  }
  Tensor tensor;
  Allocator* allocator = nullptr;
  ort.check(kGetAllocatorWithDefaultOptions(table, &allocator), "find its allocator");
  char* text = nullptr;
  ort.check(name(table, &session, std::size_t{0}, allocator, &text), "name inputs and outputs");
  tensor.name = text;
  ort.check(kAllocatorFree(table, allocator, text), "free a name");
  Handle<TypeInfo> type(ort);
  ort.check(info(table, &session, std::size_t{0}, type.out()), "describe inputs and outputs");
  const TensorInfo* facts = nullptr;  // belongs to `type`
  ort.check(kCastTypeInfoToTensorInfo(table, type.get(), &facts), "describe a tensor");
  if (facts == nullptr) {
    throw EncoderError(std::string("the graph's ") + which + " is not a tensor");
  }
  ort.check(kGetTensorElementType(table, facts, &tensor.type), "describe a tensor");
  std::size_t axes = 0;
  ort.check(kGetDimensionsCount(table, facts, &axes), "describe a tensor");
  tensor.sizes.resize(axes);
  ort.check(kGetDimensions(table, facts, tensor.sizes.data(), axes), "describe a tensor");
  return tensor;
}

void compare(const Manifest& manifest, const char* which, const Tensor& found,
             const Tensor& wanted) {
  bool fits = found.name == wanted.name && found.type == wanted.type &&
              found.sizes.size() == wanted.sizes.size();
  for (std::size_t i = 0; fits && i < found.sizes.size(); ++i) {
    fits = found.sizes[i] < 1 || wanted.sizes[i] < 1 || found.sizes[i] == wanted.sizes[i];
  }
  if (fits) return;
  throw EncoderError(manifest.graph_path() + ": its " + which + " is " + describe(found) +
                     ", the manifest's " + describe(wanted) +
                     "; correct the manifest or give the graph that it is for");
}

}  // namespace

void check_ort_graph(const OrtLibrary& ort, const Session& session, const Manifest& manifest) {
  const std::int64_t c = manifest.channels, h = manifest.height, w = manifest.width;
  const bool bytes = manifest.layout == InputLayout::kBytePixels;
  const Tensor input{
      manifest.input_name, bytes ? kUint8 : kFloat,
      bytes ? std::vector<std::int64_t>{0, h, w, c} : std::vector<std::int64_t>{0, c, h, w}};
  const Tensor output{manifest.output_name, kFloat, {0, manifest.output_size}};
  compare(manifest, "input",
          only(ort, session, "input", kSessionGetInputCount, kSessionGetInputTypeInfo,
               kSessionGetInputName),
          input);
  compare(manifest, "output",
          only(ort, session, "output", kSessionGetOutputCount, kSessionGetOutputTypeInfo,
               kSessionGetOutputName),
          output);
}

}  // namespace jackdaw::ort
