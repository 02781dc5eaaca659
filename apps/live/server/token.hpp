// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The secret that requests carry where more than this machine can send them.

#include <string>
#include <string_view>

namespace jackdaw::live {

// Takes as long for every wrong token of the same length, so that none can be guessed bit by bit.
bool same_secret(std::string_view a, std::string_view b) noexcept;

// Whether it can be sent in an address, a cookie and a header as it is: 16 to 128 letters and
// digits.
bool is_token(std::string_view text) noexcept;

// What follows "Bearer " in an Authorization header; empty if it is something else.
std::string_view bearer_token(std::string_view authorization) noexcept;

}  // namespace jackdaw::live
