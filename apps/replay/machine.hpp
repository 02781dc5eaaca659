// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where results come from.

#include "replay/results.hpp"

namespace jackdaw::replay {

Machine this_machine();
Versions these_versions();
std::uint64_t peak_memory_bytes();  // of this process so far
std::string utc_now();              // ISO 8601

}  // namespace jackdaw::replay
