// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What CUDA says of itself, and what to make of it.
//
//   const Finding finding = judge(probe_cuda(), device::read_identity("/"));

#include <memory>
#include <optional>
#include <string>

#include "device/identity.hpp"
#include "doctor/finding.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::doctor {

struct CudaProbe {
  std::string runtime;        // built into this program, "12.6"; empty: none
  std::optional<int> driver;  // the newest CUDA that the driver serves, 12060; none: no driver
  std::string device;         // "cuda Orin (sm_87)"; empty: none that works
  std::string fault;          // why none works
};

CudaProbe probe_cuda();
Finding judge(const CudaProbe& probe, const device::Identity& identity);

// An ensemble on the GPU, or null, and then why.
std::unique_ptr<Ensemble> try_cuda(const EnsembleSettings& settings, std::string& why);

}  // namespace jackdaw::doctor
