// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// State and moment as JSON, with the fields of docs/api.md in their order.

#include <string>

#include "live/control.hpp"

namespace jackdaw::live {

std::string state_json(const State& state);
std::string moment_json(const Moment& moment);
std::string problem_json(const std::string& problem);  // of /healthz
const char* name_of(SourceStatus status) noexcept;

}  // namespace jackdaw::live
