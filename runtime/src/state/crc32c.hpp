// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// CRC-32C (Castagnoli), the checksum of every state file.
//
//   std::uint32_t sum = crc32c(head);
//   sum = crc32c(body, sum);            // the same as crc32c of head and body together
//
// crc32c() uses the processor's instruction (SSE4.2, ARMv8 CRC) when there is one; the result is
// that of crc32c_portable() on every machine.

#include <cstddef>
#include <cstdint>

#include "jackdaw/span.hpp"

namespace jackdaw::state {

std::uint32_t crc32c(Span<const std::byte> data, std::uint32_t before = 0) noexcept;

std::uint32_t crc32c_portable(Span<const std::byte> data, std::uint32_t before = 0) noexcept;

bool crc32c_in_hardware() noexcept;

}  // namespace jackdaw::state
