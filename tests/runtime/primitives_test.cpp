// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Every table of loops that this machine can run against the plain one, bit for bit, and the plain
// one against arithmetic that needs no explanation.

#include "cpu/primitives.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/elements.hpp"

namespace jackdaw::testing {
namespace {

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
    const std::size_t stride = random_stride(rng), n = between(rng, 1, 150),
                      batch = between(rng, 1, 70);
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
      std::vector<std::int8_t> packed(packed_key_bytes(n, stride));
      table->pack_keys(keys.data(), n, stride, packed.data());
      std::vector<std::int32_t> out(batch * n + 1, 7);
      table->similarities(packed.data(), n, stride, x.data(), batch, out.data(), n);
      CHECK(out.back() == 7);
      out.pop_back();
      CHECK(out == expected);
    }
  }
}

TEST_CASE("dots and products with a symmetric matrix have the same bits in every table") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t stride = 32 * std::size_t{between(rng, 1, 20)};
    CAPTURE(stride);
    auto matrix = random_floats(stride * stride, rng);
    const auto x = random_floats(stride, rng);
    for (std::size_t r = 0; r < stride; ++r) {
      for (std::size_t c = 0; c < r; ++c) matrix[c * stride + r] = matrix[r * stride + c];
    }
    all_alike([&](const Primitives& table) {
      std::vector<float> out(stride + 1, 7.0F), lanes(lane_floats(stride), 7.0F);
      table.symmetric_vector(matrix.data(), x.data(), stride, lanes.data(), out.data());
      out.push_back(table.dot(x.data(), matrix.data(), stride));
      return memory_of(out);
    });
    const std::size_t count = between(rng, 1, 9), rows = between(rng, 1, 7), pitch = rows + 2;
    const auto several = random_floats(count * stride, rng);
    all_alike([&](const Primitives& table) {
      std::vector<float> out(count * pitch + 1, 7.0F);
      table.products(matrix.data(), std::min(rows, stride), several.data(), count, stride,
                     out.data(), pitch);
      return memory_of(out);
    });
    for (std::size_t type = 0; type < 3; ++type) {
      std::vector<std::int32_t> stored(stride);
      for (std::int32_t& element : stored) {
        element = static_cast<std::int32_t>(between(rng, 0, 60000)) - 30000;
        // as int16 and half it is any two numbers; half without infinities
        if (type == 1) element &= 0x3FFF3FFF;
      }
      all_alike([&](const Primitives& table) {
        std::vector<float> out(stride + 1, 7.0F);
        table.unpack[type](stored.data(), stride, out.data());
        return memory_of(out);
      });
    }
    const float a = x[0];
    all_alike([&](const Primitives& table) {
      std::vector<float> y(matrix.begin(), matrix.begin() + static_cast<std::ptrdiff_t>(stride));
      y.push_back(7.0F);
      table.axpy(a, x.data(), stride, y.data());
      return memory_of(y);
    });
  }
}

TEST_CASE("16-bit numbers of any size and alignment give the same dot in every table") {
  Rng rng(seed());
  for (int round = 0; round < 60; ++round) {
    const std::size_t size = between(rng, 0, 700), skip = between(rng, 0, 3);
    std::vector<std::int16_t> a(size + skip), b(size + skip);
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < size + skip; ++i) {
      a[i] = static_cast<std::int16_t>(static_cast<int>(between(rng, 0, 3000)) - 1500);
      b[i] = static_cast<std::int16_t>(static_cast<int>(between(rng, 0, 3000)) - 1500);
      if (i >= skip) expected += a[i] * b[i];
    }
    for (const Primitives* table : runnable_primitives()) {
      CAPTURE(std::string(table->name));
      CHECK(table->dot_int16(a.data() + skip, b.data() + skip, size) == expected);
    }
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

}  // namespace
}  // namespace jackdaw::testing
