// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An ONNX file with one more layer: output = weights (old output) + bias.
//
//   std::string larger = append_linear(file, {"embedding", "calibrated", 256, 960, weights, bias});

#include <cstdint>
#include <string>
#include <string_view>

#include "jackdaw/span.hpp"

namespace jackdaw::onnx {

struct Linear {
  std::string input;   // must be the graph's only output
  std::string output;  // what the new output is called
  std::uint32_t rows = 0, columns = 0;
  Span<const float> weights;  // [rows][columns]
  Span<const float> bias;     // [rows]
};

// Throws WireError if the file is not an ONNX graph with that one output.
std::string append_linear(std::string_view model, const Linear& layer);

}  // namespace jackdaw::onnx
