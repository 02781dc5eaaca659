// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kAnimated = 0x02, kAlpha = 0x10;
constexpr std::uint64_t kFirst = 12;  // RIFF, length, WEBP

std::string read_header(Bytes file, Container& container) {
  const std::uint64_t data = kFirst + 8;
  if (file.is(kFirst, "VP8 ") && file.is(data + 3, "\x9D\x01\x2A")) {
    container.width = file.u16(data + 6) & 0x3FFFU;
    container.height = file.u16(data + 8) & 0x3FFFU;
    return "";
  }
  if (file.is(kFirst, "VP8L") && file.u8(data) == 0x2F) {
    const std::uint32_t bits = file.u32(data + 1);
    container.width = (bits & 0x3FFFU) + 1;
    container.height = (bits >> 14U & 0x3FFFU) + 1;
    container.transparent = (bits >> 28U & 1U) != 0;
    return "";
  }
  if (file.is(kFirst, "VP8X")) {
    const std::uint32_t flags = file.u8(data);
    if ((flags & kAnimated) != 0) return "is an animation; give a single picture";
    container.transparent = (flags & kAlpha) != 0;
    container.width = (file.u32(data + 4) & 0xFFFFFFU) + 1;
    container.height = (file.u32(data + 7) & 0xFFFFFFU) + 1;
    return "";
  }
  return "is damaged: its WebP data begins with no chunk that is known";
}

}  // namespace

std::string check_webp(Bytes big_endian, Container& container) {
  const Bytes file = big_endian.little_endian();
  const std::string cut_off = "is cut off: its WebP data is shorter than its header says";
  const std::uint64_t length = file.u32(4);
  if (!file.has(8, length) || length < kFirst) return cut_off;
  if (std::string fault = read_header(file, container); !fault.empty()) return fault;
  for (std::uint64_t at = kFirst; at + 8 <= 8 + length;) {
    const std::uint64_t chunk = file.u32(at + 4);
    if (chunk > 8 + length - (at + 8)) return cut_off;
    if (file.is(at, "EXIF")) {
      const std::uint64_t prefix = file.is(at + 8, {"Exif\0\0", 6}) ? 6 : 0;
      container.orientation = exif_orientation(file.part(at + 8 + prefix, chunk - prefix));
    }
    at += 8 + chunk + (chunk & 1U);
  }
  return "";
}

}  // namespace jackdaw
