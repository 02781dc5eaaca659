// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/text_width.hpp"

#include <algorithm>
#include <cstring>

#include "replay/report/html.hpp"

namespace jackdaw::replay::report {
namespace {

// Those of DejaVu Sans, one of the widest that browsers use, in em.
constexpr double kNarrow = 0.4, kCommon = 0.62, kCapital = 0.76, kWide = 1.0;

bool between(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

bool is_mark(std::uint32_t code) {  // drawn over what is before it, or not at all
  return between(code, 0x300, 0x36F) || between(code, 0x200B, 0x200F) ||
         between(code, 0x20D0, 0x20FF) || between(code, 0xFE00, 0xFE0F);
}

double width_of(std::uint32_t code) {
  if (code < 0x20 || code == 0x7F) return kWide;  // becomes the replacement character
  if (code < 0x7F) {
    const auto letter = static_cast<char>(code);
    if (std::strchr("mwMW@%", letter) != nullptr) return kWide;
    if (std::strchr("fijlrtIJ .,:;'|!()[]/-", letter) != nullptr) return kNarrow;
    return between(code, 'A', 'Z') || std::strchr("+<=>&#~", letter) != nullptr ? kCapital
                                                                                : kCommon;
  }
  if (is_mark(code)) return 0.0;
  if (between(code, 0xDF, 0xFF)) return kCommon;
  return code < 0x1100 ? kCapital : kWide;
}

// Width of the character at `at`, and where the next one begins.
double step(const std::string& text, std::size_t& at) {
  std::uint32_t code = 0;
  const std::size_t length = decode(text, at, code);
  at += std::max<std::size_t>(1, length);
  return length == 0 ? kWide : width_of(code);
}

}  // namespace

double text_width(const std::string& text, double font_size) {
  double width = 0.0;
  for (std::size_t at = 0; at < text.size();) width += step(text, at);
  return width * font_size;
}

std::string shortened(const std::string& text, double width, double font_size) {
  if (text_width(text, font_size) <= width) return text;
  const double room = width / font_size - kWide;  // the ellipsis
  double used = 0.0;
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size(); end = at) {
    used += step(text, at);
    if (used > room) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace jackdaw::replay::report
