// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// An encoder that runs in the module. The engine must have been built (build_child.hpp).
//
//   auto encoder = open_trt_encoder(load_trt_module(), manifest, request);

#include <memory>

#include "jackdaw/engines/encoder.hpp"
#include "trt/engine_request.hpp"
#include "trt/trt_module.hpp"

namespace jackdaw::trt {

// Throws TrtUnavailable (no GPU), EngineFileError (kMissing: build it; else build it again) or
// EncoderError (TensorRT's own words). The module must outlive the encoder, as load_trt_module()'s
// does.
std::unique_ptr<Encoder> open_trt_encoder(const TrtModule& module, const Manifest& manifest,
                                          const EngineRequest& request);

}  // namespace jackdaw::trt
