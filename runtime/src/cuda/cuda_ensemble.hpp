// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The CUDA backend's door. No CUDA type here, so that everybody may include it.
//
//   auto ensemble = make_cuda_ensemble(settings, keys);     // throws CudaError where there is no
//   device

#include <cstdint>
#include <memory>

#include "jackdaw/ensemble.hpp"

namespace jackdaw {

// keys: as make_ensemble has them. streams: a cudaStream_t of the caller's for each context, to be
// kept alive as long as the ensemble, or empty: then every context gets its own. Throws CudaError
// if no device answers or its memory does not suffice, SettingsError for a 32-bit store,
// CapacityError over the budget.
std::unique_ptr<Ensemble> make_cuda_ensemble(const EnsembleSettings& settings,
                                             Span<const std::int8_t> keys,
                                             Span<void* const> streams = {});

}  // namespace jackdaw
