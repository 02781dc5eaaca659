// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CHECK(says(error, "input.width")): if it does not, the test's output shows the whole text.

#include <doctest/doctest.h>

#include <string>

namespace jackdaw::testing {

inline bool says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  MESSAGE(text);
  return false;
}

}  // namespace jackdaw::testing
