// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Arithmetic on sizes that throws instead of wrapping.

#include <cstdint>
#include <initializer_list>
#include <string>

#include "jackdaw/error.hpp"

namespace jackdaw {

// The product of the factors; the error names all of them.
inline std::uint64_t checked_product(const char* what,
                                     std::initializer_list<std::uint64_t> factors) {
  std::uint64_t product = 1;
  bool overflow = false;
  for (const std::uint64_t f : factors) overflow |= __builtin_mul_overflow(product, f, &product);
  if (!overflow) return product;
  std::string text;
  for (const std::uint64_t f : factors) text += (text.empty() ? "" : " x ") + std::to_string(f);
  throw CapacityError(std::string(what) + " needs " + text + " bytes, which cannot be expressed");
}

inline std::uint64_t checked_sum(const char* what, std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  throw CapacityError(std::string(what) + " needs " + std::to_string(a) + " + " +
                      std::to_string(b) + " bytes, which cannot be expressed");
}

}  // namespace jackdaw
