// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "cuda/cuda_ensemble.hpp"

#include "cuda/cuda_gpu.hpp"
#include "cuda/gpu_ensemble.hpp"

namespace jackdaw {

std::unique_ptr<Ensemble> make_cuda_ensemble(const EnsembleSettings& settings,
                                             Span<const std::int8_t> keys,
                                             Span<void* const> streams) {
  return cuda::make_gpu_ensemble(settings, keys, cuda::make_cuda_gpu(), streams);
}

}  // namespace jackdaw
