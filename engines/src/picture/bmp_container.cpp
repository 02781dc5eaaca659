// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kPlain = 0, kBitFields = 3, kAlphaBitFields = 6;

}  // namespace

std::string check_bmp(Bytes big_endian, Container& container) {
  const Bytes file = big_endian.little_endian();
  const std::uint64_t pixels = file.u32(10), header = file.u32(14);
  const bool old = header == 12;
  if (!file.has(14, header) || (!old && header < 40)) {
    return "is cut off or damaged: its BMP header is not whole";
  }
  const std::uint32_t height = old ? file.u16(20) : file.u32(22);
  container.width = old ? file.u16(18) : file.u32(18);
  container.height = height >> 31U != 0 ? 0U - height : height;  // negative: the top row is first
  const std::uint64_t bits = old ? file.u16(24) : file.u16(28);
  const std::uint32_t packing = old ? kPlain : file.u32(30);
  if (packing != kPlain && packing != kBitFields && packing != kAlphaBitFields) {
    return "is a compressed BMP, which is not read; save it as PNG";
  }
  const std::uint64_t row = (container.width * bits + 31) / 32 * 4;
  if (pixels < 14 + header || bits == 0 || bits > 32 || !file.has(pixels, 0) ||
      (row != 0 && container.height > (file.size() - pixels) / row)) {
    return "is cut off: its BMP data has fewer pixels than its header says";
  }
  return "";
}

}  // namespace jackdaw
