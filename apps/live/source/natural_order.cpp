// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/natural_order.hpp"

#include <cctype>

namespace jackdaw::live {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

std::size_t end_of_digits(const std::string& text, std::size_t from) noexcept {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

std::size_t skip_zeros(const std::string& text, std::size_t from, std::size_t end) noexcept {
  while (from + 1 < end && text[from] == '0') ++from;
  return from;
}

}  // namespace

// A folder comes before the names that it begins: '/' is the least of all characters.
bool natural_less(const std::string& a, const std::string& b) noexcept {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::size_t end_a = end_of_digits(a, i), end_b = end_of_digits(b, j);
      const std::size_t from_a = skip_zeros(a, i, end_a), from_b = skip_zeros(b, j, end_b);
      if (end_a - from_a != end_b - from_b) return end_a - from_a < end_b - from_b;
      const int order = a.compare(from_a, end_a - from_a, b, from_b, end_b - from_b);
      if (order != 0) return order < 0;
      i = end_a;
      j = end_b;
      continue;
    }
    const auto rank = [](char c) {
      return c == '/' ? 0 : static_cast<int>(static_cast<unsigned char>(c)) + 1;
    };
    if (a[i] != b[j]) return rank(a[i]) < rank(b[j]);
    ++i;
    ++j;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;  // 01 and 1: some order, always the same
}

}  // namespace jackdaw::live
