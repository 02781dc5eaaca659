// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often this program has asked for memory, in all threads. Linking allocation_counter.cpp
// counts malloc and its kin (and so operator new); under a sanitizer, which needs malloc for
// itself, and where there is no glibc, operator new alone.
//
//   const std::uint64_t before = allocations();
//   ...
//   CHECK(allocations() == before);

#include <cstdint>

namespace jackdaw::testing {

std::uint64_t allocations() noexcept;

// Whether plain malloc is counted, too.
bool counts_malloc() noexcept;

}  // namespace jackdaw::testing
