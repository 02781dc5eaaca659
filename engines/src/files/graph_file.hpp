// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ONNX file that a manifest names, whole.

#include <string>

#include "jackdaw/engines/manifest.hpp"

namespace jackdaw {

std::string read_graph_file(const Manifest& manifest);  // throws EncoderError

}  // namespace jackdaw
