// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A test case that cannot run here says why and returns:
//
//   if (!device_present()) return jackdaw::testing::skip("no CUDA device answers");
//
// The program then ends with kSkipExitCode unless something failed, and ctest lists it as skipped
// (tests/CMakeLists.txt gives every test SKIP_RETURN_CODE 77). So give cases that may be skipped a
// ctest entry of their own, or their neighbours will be listed as skipped with them.

#include <string>

namespace jackdaw::testing {

inline constexpr int kSkipExitCode = 77;

// Prints "skipped: REASON" and remembers that there was a skip.
void skip(const std::string& reason);

}  // namespace jackdaw::testing
