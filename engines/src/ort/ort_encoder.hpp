// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX Runtime on the CPU: faster than OpenCV, reads more operators, and takes graphs as they are
// (bytes instead of floats as the input, weights of 8 bits). Its library is opened at run time.

#include <cstdint>
#include <memory>

#include "jackdaw/engines/encoder.hpp"

namespace jackdaw {

// threads: 0: as many as there are cores. Throws EncoderError also where the library is not found.
std::unique_ptr<Encoder> make_ort_encoder(const Manifest& manifest, std::uint32_t threads);

}  // namespace jackdaw
