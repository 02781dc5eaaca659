// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names in the order that people expect: frame2.png before frame10.png.

#include <string>

namespace jackdaw::live {

bool natural_less(const std::string& a, const std::string& b) noexcept;

}  // namespace jackdaw::live
