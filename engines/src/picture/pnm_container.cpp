// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "picture/container.hpp"

namespace jackdaw {
namespace {

bool is_space(std::uint32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The next number of the header; 0 if there is none, or if it is beyond anything that is read.
std::uint64_t number(Bytes file, std::uint64_t& at) {
  for (; is_space(file.u8(at)) || file.u8(at) == '#'; ++at) {
    if (file.u8(at) != '#') continue;
    while (at < file.size() && file.u8(at) != '\n') ++at;
  }
  std::uint64_t value = 0;
  for (; file.u8(at) >= '0' && file.u8(at) <= '9'; ++at) {
    value = value * 10 + (file.u8(at) - std::uint32_t{'0'});
    if (value > 0xFFFFFFU) return 0;
  }
  return value;
}

}  // namespace

std::string check_pnm(Bytes file, Container& container) {
  const bool bitmap = file.is(0, "P4"), colour = file.is(0, "P6");
  std::uint64_t at = 2;
  container.width = number(file, at);
  container.height = number(file, at);
  const std::uint64_t most = bitmap ? 1 : number(file, at);
  if (!is_space(file.u8(at++)) || container.width == 0 || container.height == 0) {
    return "is cut off or damaged: its PNM header is not whole";
  }
  if (!bitmap && most != 255 && most != 65535) {
    return "is a PNM whose largest value is " + std::to_string(most) + "; 255 and 65535 are read";
  }
  const std::uint64_t row = bitmap ? (container.width + 7) / 8
                                   : container.width * (colour ? 3U : 1U) * (most > 255 ? 2U : 1U);
  if (!file.has(at, row * container.height)) {
    return "is cut off: its PNM data has fewer pixels than its header says";
  }
  return "";
}

}  // namespace jackdaw
