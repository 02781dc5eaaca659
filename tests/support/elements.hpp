// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random inputs for the inner loops, rows of every store type among them, and the comparison of
// every table of loops that runs here with the plain one.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/primitives.hpp"
#include "jackdaw/half.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {

inline std::size_t random_stride(Rng& rng) {
  return 32 * std::size_t{between(rng, 0, 3) == 0 ? between(rng, 1, 64) : between(rng, 1, 6)};
}

inline std::vector<std::int8_t> random_bytes(std::size_t count, Rng& rng) {
  const bool extreme = between(rng, 0, 3) == 0;
  std::vector<std::int8_t> values(count);
  for (std::int8_t& v : values) {
    v = static_cast<std::int8_t>(extreme ? (between(rng, 0, 1) == 0 ? -127 : 127)
                                         : static_cast<int>(between(rng, 0, 254)) - 127);
  }
  return values;
}

// Mostly ordinary, sometimes huge, tiny, or a zero of either sign.
inline std::vector<float> random_floats(std::size_t count, Rng& rng) {
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& v : values) {
    v = normal(rng);
    switch (between(rng, 0, 40)) {
      case 0:
        v *= 1e18F;
        break;
      case 1:
        v *= 1e-38F;
        break;
      case 2:
        v = 0.0F;
        break;
      case 3:
        v = -0.0F;
        break;
      default:
        break;
    }
  }
  return values;
}

// Whole numbers as the store keeps them, many at or near its limits.
inline Bytes random_elements(StoreType store, std::size_t count, Rng& rng) {
  Bytes bytes(count * element_bytes(store));
  const std::int64_t limit = element_limit(store);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t value = std::uniform_int_distribution<std::int64_t>(-limit, limit)(rng);
    if (between(rng, 0, 2) == 0)
      value = std::uniform_int_distribution<std::int64_t>(-300, 300)(rng);
    if (between(rng, 0, 4) == 0) value = (value < 0 ? -1 : 1) * (limit - between(rng, 0, 130));
    if (store == StoreType::kInt32) {
      const auto element = static_cast<std::int32_t>(value);
      std::memcpy(bytes.data() + i * 4, &element, 4);
    } else if (store == StoreType::kInt16) {
      const auto element = static_cast<std::int16_t>(value);
      std::memcpy(bytes.data() + i * 2, &element, 2);
    } else {
      const Half element = to_half(static_cast<float>(value));
      std::memcpy(bytes.data() + i * 2, &element, 2);
    }
  }
  return bytes;
}

inline std::int64_t element_at(StoreType store, const Bytes& row, std::size_t i) {
  if (store == StoreType::kInt32) {
    std::int32_t value = 0;
    std::memcpy(&value, row.data() + i * 4, 4);
    return value;
  }
  if (store == StoreType::kInt16) {
    std::int16_t value = 0;
    std::memcpy(&value, row.data() + i * 2, 2);
    return value;
  }
  Half value{};
  std::memcpy(&value, row.data() + i * 2, 2);
  return static_cast<std::int64_t>(to_float(value));
}

// Runs `use(table)` for each table; it returns the bytes it computed.
template <class Use>
void all_alike(const Use& use) {
  const Bytes plain = use(kPlainPrimitives);
  for (const Primitives* table : runnable_primitives()) {
    CAPTURE(std::string(table->name));
    CHECK(use(*table) == plain);
  }
}

}  // namespace jackdaw::testing
