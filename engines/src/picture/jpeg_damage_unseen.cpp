// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Where there is no libjpeg to ask: damage inside a JPEG's data is not seen.
#include "picture/container.hpp"

namespace jackdaw {

bool sees_jpeg_damage() noexcept { return false; }

std::string jpeg_damage(Span<const std::byte> /*file*/) { return ""; }

}  // namespace jackdaw
