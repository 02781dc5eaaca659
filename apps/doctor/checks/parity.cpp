// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The CPU is the specification: the GPU has to hold the same store and choose the same classifiers.
#include "doctor/parity.hpp"

#include "doctor/check.hpp"
#include "doctor/cuda_probe.hpp"

namespace jackdaw::doctor {

Finding check_parity(const DoctorOptions& options) {
  Parity found;
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    EnsembleSettings settings;
    settings.profile = profile;
    settings.max_classes = 10;
    std::string why;
    const auto gpu = try_cuda(settings, why);
    if (!gpu) return not_run("no CUDA device");
    const auto cpu = make_ensemble(settings, Device::kCpu);
    found += compare(*cpu, *gpu, options.quick ? 200 : 2000);
  }
  return judge(found);
}

}  // namespace jackdaw::doctor
