// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The real GPU: device 0 of this machine.

#include <memory>

#include "cuda/gpu.hpp"

namespace jackdaw::cuda {

// Throws CudaError, saying what is missing, if there is no driver, no device, or one that cannot be
// used.
std::unique_ptr<Gpu> make_cuda_gpu();

}  // namespace jackdaw::cuda
