// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What leaves and enters an ensemble as bytes: one section a class, one for the shared statistics.
// Little-endian, the same from every backend.
//
// class section:   rows [n][stride] of the store type | counts int32[n] | sums int32[stride]
// (default
//                  only) | class count int32 | clipped int32
// shared section:  (default only) scatter int32 [stride][stride] | retired examples int64 | classes
// int64

#include <cstddef>
#include <cstdint>

#include "core/store_view.hpp"
#include "core/whitening.hpp"
#include "jackdaw/settings.hpp"
#include "jackdaw/span.hpp"

namespace jackdaw {

struct ClassSection {
  explicit ClassSection(const EnsembleSettings& settings) noexcept;

  std::size_t rows = 0;  // offsets in bytes
  std::size_t counts = 0;
  std::size_t sums = 0;
  std::size_t tail = 0;  // class count, clipped
  std::size_t bytes = 0;
};

struct SharedSection {
  explicit SharedSection(const EnsembleSettings& settings) noexcept;

  std::size_t scatter = 0;
  std::size_t retired = 0;
  std::size_t bytes = 0;  // 0 in profile seed
};

// Null if the section could have been written by an ensemble of these settings, otherwise what is
// wrong with it: sizes, element ranges, counts that do not fit together, padding that is not zero.
const char* find_fault_in_class(const EnsembleSettings& settings, Span<const std::byte> section);
const char* find_fault_in_shared(const EnsembleSettings& settings, Span<const std::byte> section);

// target += sign * source, element by element, clamped as the store clamps (and counted). In
// profile seed the initial weights of the source's slot are taken off first, so that only what was
// taught is added. Both sections must be faultless. False, and the target unspecified, if a counter
// would overflow.
[[nodiscard]] bool add_class_section(const EnsembleSettings& settings, Span<std::byte> target,
                                     std::uint32_t source_slot, Span<const std::byte> source,
                                     int sign);

// False, and the target unspecified, if a statistic would overflow.
[[nodiscard]] bool add_shared_section(const EnsembleSettings& settings, Span<std::byte> target,
                                      Span<const std::byte> source, int sign);

}  // namespace jackdaw
