// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <array>

#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint64_t kDepth =
    24;  // where IHDR has the bits a channel; the kind of colour follows
constexpr std::uint32_t kGrey = 0;

// From 1, 2 or 4 bits to 8.
std::uint32_t spread(std::uint32_t bits) { return 255U / ((1U << bits) - 1U); }

using Table = std::array<std::uint32_t, 256>;

Table make_table() {
  Table table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ c >> 1U : c >> 1U;
    table[i] = c;
  }
  return table;
}

std::uint32_t crc32(Bytes bytes, std::uint64_t at, std::uint64_t count) {
  static const Table kTable = make_table();
  std::uint32_t crc = 0xFFFFFFFFU;
  for (std::uint64_t i = at; i < at + count; ++i) {
    crc = kTable[(crc ^ bytes.u8(i)) & 0xFFU] ^ crc >> 8U;
  }
  return ~crc;
}

}  // namespace

// Chunks of length, name, data, checksum; IHDR is the first, IEND the last.
std::string check_png(Bytes file, Container& container) {
  bool data = false;
  for (std::uint64_t at = 8;;) {
    const std::uint64_t length = file.u32(at);
    if (!file.has(at, 12) || !file.has(at + 12, length)) {
      return "is cut off: its PNG data ends before the chunk IEND";
    }
    if (crc32(file, at + 4, length + 4) != file.u32(at + 8 + length)) {
      return "is damaged: a checksum in its PNG data, at byte " + std::to_string(at) +
             ", does not hold";
    }
    const bool header = file.is(at + 4, "IHDR");
    if (header != (at == 8) || (header && length != 13)) {
      return "is damaged: its PNG data does not begin with one chunk IHDR";
    }
    if (header) {
      container.width = file.u32(at + 8);
      container.height = file.u32(at + 12);
      container.transparent = (file.u8(kDepth + 1) & 4U) != 0;
    } else if (file.is(at + 4, "tRNS")) {
      container.transparent = true;
      const std::uint32_t bits = file.u8(kDepth), kind = file.u8(kDepth + 1);
      const std::uint32_t key = file.u16(at + 8);
      if (kind == kGrey) container.grey_key = static_cast<int>(bits < 8 ? key * spread(bits) : key);
    } else if (file.is(at + 4, "eXIf")) {
      container.orientation = exif_orientation(file.part(at + 8, length));
    } else if (file.is(at + 4, "IDAT")) {
      data = true;
    } else if (file.is(at + 4, "IEND")) {
      return data ? "" : "is damaged: its PNG data has no chunk IDAT";
    }
    at += 12 + length;
  }
}

}  // namespace jackdaw
