// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tables that may exist beside the plain one; which of them do depends on the target.

#include "cpu/primitives.hpp"

namespace jackdaw {

extern const Primitives kAvx2Primitives;    // x86-64
extern const Primitives kAvx512Primitives;  // x86-64
extern const Primitives kNeonPrimitives;    // AArch64

}  // namespace jackdaw
