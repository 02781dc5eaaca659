// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the loop asks of the system: the time, in seconds of a clock that is never set, and how much
// memory the program has.

#include <cstdint>

namespace jackdaw::live {

double clock_now();
void clock_sleep(double seconds);
std::uint64_t resident_bytes();  // 0 where the system does not tell

}  // namespace jackdaw::live
