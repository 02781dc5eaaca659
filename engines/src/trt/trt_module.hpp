// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program's side of module.h: finds jackdaw-trt.so, opens it, and says in one sentence why
// TensorRT cannot be used where it cannot. Knows nothing of TensorRT itself.
//
//   const TrtModule& trt = load_trt_module();       // throws TrtUnavailable
//   GpuId gpu = trt.device().id;                    // the same
//   log(trt.tensorrt_version());

#include <cstdint>
#include <string>

#include "jackdaw/engines/encoder.hpp"
#include "trt/engine_key.hpp"
#include "trt/module.h"

namespace jackdaw::trt {

enum class TrtReason : std::uint8_t {
  kNoModule,    // jackdaw-trt.so is nowhere
  kNoTensorRt,  // it is there, but a library that it needs is not
  kBadModule,   // it is there, but it is something else
  kOtherAbi,    // it is of another version of Jackdaw
  kNoDriver,    // no CUDA driver, or an old one
  kNoGpu,       // a driver, but no device
  kGpuFailed,   // a device that does not answer
};

struct TrtUnavailable : EncoderError {
  TrtUnavailable(TrtReason which, const std::string& text) : EncoderError(text), reason(which) {}
  TrtReason reason;
};

struct TrtDevice {
  GpuId id;
  std::uint64_t memory_bytes = 0;
};

class TrtModule {
 public:
  TrtModule(std::string path, const jackdaw_trt_functions& functions);

  const std::string& path() const noexcept { return path_; }
  std::string tensorrt_version() const;  // of the library that is loaded: "10.3.0"
  TrtDevice device() const;              // throws TrtUnavailable
  const jackdaw_trt_functions& functions() const noexcept { return functions_; }

 private:
  std::string path_;
  const jackdaw_trt_functions& functions_;
};

// Opens one file, or by a bare name one in the library path. Never unloaded: neither TensorRT nor
// CUDA survives that.
TrtModule open_trt_module(const std::string& path);

// Next to the program, then in the library path, then $JACKDAW_TRT_MODULE. The first that is there
// decides: if it does not work, that is what is reported.
TrtModule find_trt_module();

// The same, but looked for once in the life of the process.
const TrtModule& load_trt_module();

}  // namespace jackdaw::trt
