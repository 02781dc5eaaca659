// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "jackdaw/label.hpp"

#include <algorithm>

namespace jackdaw {
namespace {

// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF) without control
// characters.
bool well_formed(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x20 || lead == 0x7F) return false;
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size()) return false;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if ((next & 0xC0U) != 0x80U) return false;
      point = (point << 6U) | (next & 0x3FU);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    const bool control = point >= 0x80 && point < 0xA0;
    if (overlong || surrogate || control || point > 0x10FFFF) return false;
    i += length;
  }
  return true;
}

}  // namespace

Label::Label(std::string_view text) noexcept {
  if (text.size() > kMostBytes || !well_formed(text)) return;
  std::copy(text.begin(), text.end(), text_.begin());
  size_ = static_cast<std::uint8_t>(text.size());
}

}  // namespace jackdaw
