// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The GPU, its driver and the CUDA that is built in.
#include "doctor/check.hpp"
#include "doctor/cuda_probe.hpp"

namespace jackdaw::doctor {

Finding check_cuda(const DoctorOptions& options) {
  return judge(probe_cuda(), device::read_identity(options.root));
}

}  // namespace jackdaw::doctor
