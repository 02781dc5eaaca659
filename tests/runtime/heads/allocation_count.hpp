// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often this program has called operator new, in all threads. Linking allocation_count.cpp
// replaces the global operators.
//
//   const std::size_t before = allocation_count();
//   ...
//   CHECK(allocation_count() == before);

#include <cstddef>

namespace jackdaw::testing {

std::size_t allocation_count() noexcept;

}  // namespace jackdaw::testing
