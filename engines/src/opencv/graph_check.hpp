// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an ONNX file says about its own input and output, held against the manifest. Many graphs run
// at any input size and just give something else, so running one proves nothing. The sizes of its
// constants are held against their data, too, because OpenCV 4.6 does not.

#include <string_view>

#include "jackdaw/engines/manifest.hpp"

namespace jackdaw {

// Throws EncoderError that names both sizes. What the file leaves open ("batch") is not held
// against it.
void check_graph(std::string_view file, const Manifest& manifest);

}  // namespace jackdaw
