// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Every table of loops that this machine can run against the plain one, bit for bit, and the plain
// one against arithmetic that needs no explanation.

#include "cpu/primitives.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "jackdaw/half.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

std::size_t random_stride(Rng& rng) {
  return 32 * std::size_t{between(rng, 0, 3) == 0 ? between(rng, 1, 64) : between(rng, 1, 6)};
}

std::vector<std::int8_t> random_bytes(std::size_t count, Rng& rng) {
  const bool extreme = between(rng, 0, 3) == 0;
  std::vector<std::int8_t> values(count);
  for (std::int8_t& v : values) {
    v = static_cast<std::int8_t>(extreme ? (between(rng, 0, 1) == 0 ? -127 : 127)
                                         : static_cast<int>(between(rng, 0, 254)) - 127);
  }
  return values;
}

// Mostly ordinary, sometimes huge, tiny, or a zero of either sign.
std::vector<float> random_floats(std::size_t count, Rng& rng) {
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
Bytes random_elements(StoreType store, std::size_t count, Rng& rng) {
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

std::int64_t element_at(StoreType store, const Bytes& row, std::size_t i) {
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

TEST_CASE("the plain table comes first and the best one is among those that run") {
  const auto tables = runnable_primitives();
  REQUIRE(!tables.empty());
  CHECK(tables.front() == &kPlainPrimitives);
  CHECK(std::find(tables.begin(), tables.end(), &best_primitives()) != tables.end());
#if defined(__aarch64__)
  CHECK(tables.size() == 2);
#endif
  for (const Primitives* table : tables) MESSAGE("runs here: " << std::string(table->name));
}

TEST_CASE("int8 similarities are the exact dot products, in every table") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t stride = random_stride(rng), n = between(rng, 1, 70),
                      batch = between(rng, 1, 9);
    CAPTURE(stride);
    CAPTURE(n);
    CAPTURE(batch);
    const auto keys = random_bytes(n * stride, rng), x = random_bytes(batch * stride, rng);
    std::vector<std::int32_t> expected(batch * n);
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t j = 0; j < n; ++j) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < stride; ++i) sum += keys[j * stride + i] * x[b * stride + i];
        expected[b * n + j] = static_cast<std::int32_t>(sum);
      }
    }
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      std::vector<std::int32_t> out(batch * n + 1, 7);
      table->similarities_i8(keys.data(), n, stride, x.data(), batch, out.data());
      CHECK(out.back() == 7);
      out.pop_back();
      CHECK(out == expected);
    }
  }
}

TEST_CASE("float similarities, dots and matrix products have the same bits in every table") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t stride = random_stride(rng), n = between(rng, 1, 90),
                      batch = between(rng, 1, 15);
    CAPTURE(stride);
    CAPTURE(n);
    CAPTURE(batch);
    const auto keys = random_floats(n * stride, rng), x = random_floats(batch * stride, rng);
    all_alike([&](const Primitives& table) {
      std::vector<float> out(batch * n + 1, 7.0F);
      table.similarities_f32(keys.data(), n, stride, x.data(), batch, out.data());
      return memory_of(out);
    });
    all_alike([&](const Primitives& table) {
      std::vector<float> out(n + 1, 7.0F);
      table.matrix_vector(keys.data(), x.data(), n, stride, out.data());
      out.push_back(table.dot(keys.data(), x.data(), stride));
      return memory_of(out);
    });
    const float a = x[0];
    all_alike([&](const Primitives& table) {
      std::vector<float> y(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(stride));
      y.push_back(7.0F);
      table.axpy(a, x.data(), stride, y.data());
      return memory_of(y);
    });
  }
}

TEST_CASE("a dot product is summed in sixteen lanes and a tree, as primitives.hpp says") {
  Rng rng(seed());
  for (int round = 0; round < 30; ++round) {
    const std::size_t stride = random_stride(rng);
    const auto a = random_floats(stride, rng), b = random_floats(stride, rng);
    float lane[16] = {};
    for (std::size_t l = 0; l < 16; ++l) {
      for (std::size_t i = l; i < stride; i += 16) lane[l] = std::fma(a[i], b[i], lane[l]);
    }
    for (const std::size_t half : {8U, 4U, 2U, 1U}) {
      for (std::size_t l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    }
    const std::vector<float> expected = {lane[0]};
    all_alike([&](const Primitives& table) {
      return memory_of(std::vector<float>{table.dot(a.data(), b.data(), stride)});
    });
    CHECK(memory_of(std::vector<float>{kPlainPrimitives.dot(a.data(), b.data(), stride)}) ==
          memory_of(expected));
  }
}

TEST_CASE(
    "rows of every store type give the same dots in every table, and rows that were not taught "
    "are left alone") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t stride = random_stride(rng), rows = between(rng, 1, 23);
    const auto x = random_floats(stride, rng);
    std::vector<std::int32_t> counts(rows);
    for (std::int32_t& c : counts) c = static_cast<std::int32_t>(between(rng, 0, 2)) - 1;
    for (const StoreType store : kStores) {
      CAPTURE(std::string(name_of(store)));
      const Bytes elements = random_elements(store, rows * stride, rng);
      const auto type = static_cast<std::size_t>(store);
      const auto dots = [&](const Primitives& table, const std::int32_t* given) {
        std::vector<float> out(rows + 1, 7.0F);
        table.dot_rows[type](x.data(), elements.data(), given, rows, stride, out.data());
        return out;
      };
      all_alike([&](const Primitives& table) { return memory_of(dots(table, nullptr)); });
      all_alike([&](const Primitives& table) { return memory_of(dots(table, counts.data())); });
      const auto all = dots(kPlainPrimitives, nullptr),
                 some = dots(kPlainPrimitives, counts.data());
      CHECK(all.back() == 7.0F);
      for (std::size_t r = 0; r < rows; ++r) {
        CHECK(some[r] == (counts[r] == 0 ? 7.0F : all[r]));
        std::vector<float> as_floats(stride);
        for (std::size_t i = 0; i < stride; ++i) {
          as_floats[i] = static_cast<float>(element_at(store, elements, r * stride + i));
        }
        CHECK(all[r] == kPlainPrimitives.dot(x.data(), as_floats.data(), stride));
      }
    }
  }
}

TEST_CASE("adding to a row is exact, stops at the store's limit and says whether it had to") {
  Rng rng(seed());
  for (int round = 0; round < 200; ++round) {
    const std::size_t stride = random_stride(rng);
    const auto delta = random_bytes(stride, rng);
    const int sign = between(rng, 0, 1) == 0 ? -1 : 1;
    for (const StoreType store : kStores) {
      CAPTURE(std::string(name_of(store)));
      // Now and then a single element at the limit, so that one clamp alone must be noticed.
      Bytes row = random_elements(store, stride, rng);
      if (between(rng, 0, 1) == 0) row.assign(row.size(), std::byte{0});
      const std::int64_t limit = element_limit(store);
      std::vector<std::int64_t> expected(stride);
      bool clamped = false;
      for (std::size_t i = 0; i < stride; ++i) {
        const std::int64_t sum = element_at(store, row, i) + sign * delta[i];
        expected[i] = std::min(std::max(sum, -limit), limit);
        clamped |= expected[i] != sum;
      }
      for (const Primitives* table : runnable_primitives()) {
        CAPTURE(std::string(table->name));
        Bytes changed = row;
        CHECK(table->add_row[static_cast<std::size_t>(store)](changed.data(), delta.data(), sign,
                                                              stride) == clamped);
        bool same = true;
        for (std::size_t i = 0; i < stride; ++i) {
          same &= element_at(store, changed, i) == expected[i];
        }
        CHECK(same);
      }
      all_alike([&](const Primitives& table) {  // also: no -0 where another table has +0
        Bytes changed = row;
        table.add_row[static_cast<std::size_t>(store)](changed.data(), delta.data(), sign, stride);
        return changed;
      });
    }
  }
}

TEST_CASE("a single element that reaches the limit exactly is not a clamp; one step more is") {
  for (const StoreType store : kStores) {
    for (const int sign : {1, -1}) {
      for (std::size_t place = 0; place < 64; ++place) {
        for (const Primitives* table : runnable_primitives()) {
          Bytes row(64 * element_bytes(store));
          std::vector<std::int8_t> delta(64, 0);
          const auto add = [&](int step) {
            delta[place] = static_cast<std::int8_t>(step);
            return table->add_row[static_cast<std::size_t>(store)](row.data(), delta.data(), sign,
                                                                   64);
          };
          if (store == StoreType::kInt32) {
            const std::int32_t near = sign * (2147483647 - 100);
            std::memcpy(row.data() + place * 4, &near, 4);
          } else {
            for (std::int64_t at = 0; at < element_limit(store) - 100;) {
              const std::int64_t step =
                  std::min<std::int64_t>(element_limit(store) - 100 - at, 127);
              REQUIRE(!add(static_cast<int>(step)));
              at += step;
            }
          }
          REQUIRE(!add(100));
          REQUIRE(element_at(store, row, place) == sign * std::int64_t{element_limit(store)});
          REQUIRE(add(1));
          REQUIRE(element_at(store, row, place) == sign * std::int64_t{element_limit(store)});
          REQUIRE(!add(-127));
          REQUIRE(element_at(store, row, place) ==
                  sign * (std::int64_t{element_limit(store)} - 127));
        }
      }
    }
  }
}

TEST_CASE(
    "the scatter gets the outer product, on and below the diagonal's blocks and nowhere else") {
  Rng rng(seed());
  for (int round = 0; round < 12; ++round) {
    const std::size_t stride = 32 * std::size_t{between(rng, 1, 12)};
    const auto x = random_bytes(stride, rng);
    const int sign = between(rng, 0, 1) == 0 ? -1 : 1;
    std::vector<std::int32_t> before(stride * stride);
    for (std::int32_t& v : before)
      v = static_cast<std::int32_t>(between(rng, 0, 2000000)) - 1000000;
    std::vector<std::int32_t> expected = before;
    for (std::size_t r = 0; r < stride; ++r) {
      for (std::size_t c = 0; c < 16 * (r / 16 + 1); ++c) {
        expected[r * stride + c] += sign * x[r] * x[c];
      }
    }
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      std::vector<std::int32_t> scatter = before;
      table->add_scatter(scatter.data(), x.data(), sign, stride);
      CHECK(scatter == expected);
    }
  }
}

}  // namespace
}  // namespace jackdaw::testing
