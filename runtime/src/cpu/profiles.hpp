// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The two profiles of the CPU backend; make_cpu_ensemble chooses.

#include <memory>

#include "cpu/primitives.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw {

std::unique_ptr<Ensemble> make_default_cpu_ensemble(const EnsembleSettings& settings,
                                                    const Primitives& loops,
                                                    Span<const std::int8_t> keys);
std::unique_ptr<Ensemble> make_seed_cpu_ensemble(const EnsembleSettings& settings,
                                                 const Primitives& loops);

}  // namespace jackdaw
