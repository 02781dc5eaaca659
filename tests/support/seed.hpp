// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one number from which every random stream of the tests is drawn.
//
//   std::mt19937_64 random(jackdaw::testing::seed());
//
// JACKDAW_TEST_SEED=N runs the tests with another one.

#include <cstdint>

namespace jackdaw::testing {

// Prints "seed: N" the first time it is called, so that a failure can be repeated.
std::uint64_t seed();

}  // namespace jackdaw::testing
