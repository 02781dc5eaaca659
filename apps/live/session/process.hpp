// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the system tells of this process.

#include <cstdint>

namespace jackdaw::live {

std::uint64_t resident_bytes();  // 0 where the system does not tell

}  // namespace jackdaw::live
