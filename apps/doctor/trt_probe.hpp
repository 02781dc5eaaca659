// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What TensorRT says of itself, and what to make of it.
//
//   const Finding finding = judge(probe_trt("efficientnet-lite0"), device::read_identity("/"));

#include <optional>
#include <string>

#include "device/identity.hpp"
#include "doctor/finding.hpp"
#include "trt/trt_module.hpp"

namespace jackdaw::doctor {

struct TrtProbe {
  std::string module;                    // the file that was opened
  std::string version;                   // "10.3.0"
  std::string device;                    // "Orin"
  std::optional<trt::TrtReason> reason;  // why TensorRT cannot be used; none: it can
  std::string why;                       // the same as a sentence
  std::string encoder;
  std::string engine_fault;  // why its engine cannot be used; empty: it is built and whole
};

TrtProbe probe_trt(const std::string& encoder);
Finding judge(const TrtProbe& probe, const device::Identity& identity);

}  // namespace jackdaw::doctor
