// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The module that runs encoders on the GPU, and the engine that it needs.
#include "doctor/check.hpp"
#include "doctor/trt_probe.hpp"

namespace jackdaw::doctor {

Finding check_tensorrt(const DoctorOptions& options) {
  return judge(probe_trt(options.encoder), device::read_identity(options.root));
}

}  // namespace jackdaw::doctor
