// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kOrientation = 0x0112;

}  // namespace

int exif_orientation(Bytes tiff) noexcept {
  const Bytes bytes = tiff.little_endian(tiff.is(0, "II"));
  const std::uint64_t directory = bytes.u32(4);
  if (!bytes.has(directory, 2)) return 1;
  const std::uint64_t entries = bytes.u16(directory);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t at = directory + 2 + 12 * i;
    if (!bytes.has(at, 12)) return 1;
    if (bytes.u16(at) != kOrientation) continue;
    const std::uint32_t value = bytes.u16(at + 8);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

}  // namespace jackdaw
