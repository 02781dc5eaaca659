// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The weights of one axis.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "preprocess/resample.hpp"
#include "preprocess_pictures.hpp"

namespace jackdaw::testing {
namespace {

const std::uint32_t kSizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 100, 128, 224, 640};

}  // namespace

TEST_CASE("resampling: the weights are those of the definition, and sum to 1") {
  Resampling axis;
  for (const std::uint32_t from : kSizes) {
    for (const std::uint32_t to : kSizes) {
      INFO("from ", from, " to ", to);
      axis.reset(from, to);
      REQUIRE(axis.from() == from);
      REQUIRE(axis.to() == to);
      REQUIRE(axis.first().size() == to);
      REQUIRE(axis.offsets().size() == to + 1);
      REQUIRE(axis.offsets()[0] == 0);
      REQUIRE(axis.offsets()[to] == axis.weights().size());
      CHECK(axis.weights().size() <= Resampling::most_weights(from, to));
      std::uint32_t first_before = 0;
      std::uint32_t end_before = 0;
      double worst = 0;
      for (std::uint32_t p = 0; p < to; ++p) {
        const std::uint32_t count = axis.offsets()[p + 1] - axis.offsets()[p];
        const std::uint32_t first = axis.first()[p];
        REQUIRE(count >= 1);
        REQUIRE(first + count <= from);
        CHECK(first >= first_before);
        CHECK(first + count >= end_before);
        first_before = first;
        end_before = first + count;
        std::vector<double> weights = expected_weights(from, to, p);
        double sum = 0;
        for (std::uint32_t t = 0; t < count; ++t) {
          const double weight = axis.weights()[axis.offsets()[p] + t];
          sum += weight;
          weights[first + t] -= weight;
        }
        CHECK(std::abs(sum - 1) < 1e-6);
        for (const double left : weights) worst = std::max(worst, std::abs(left));
      }
      CHECK(end_before == from);
      CHECK(worst < 1e-6);
    }
  }
}

TEST_CASE("resampling: the same size is the same picture") {
  Resampling axis;
  axis.reset(77, 77);
  for (std::uint32_t p = 0; p < 77; ++p) {
    CHECK(axis.first()[p] == p);
    CHECK(axis.offsets()[p] == p);
    CHECK(axis.weights()[p] == 1.0F);
  }
}

TEST_CASE("resampling: the widest and the narrowest") {
  Resampling axis;
  axis.reset(16383, 1);
  CHECK(axis.weights().size() == 16383);
  double sum = 0;
  for (const float w : axis.weights()) sum += w;
  CHECK(std::abs(sum - 1) < 1e-6);
  axis.reset(1, 16384);
  CHECK(axis.weights().size() == 16384);
  for (const float w : axis.weights()) CHECK(std::abs(w - 1) < 1e-6F);
  axis.reset(16384, 16383);
  CHECK(axis.weights().size() <= Resampling::most_weights(16384, 16383));
}

}  // namespace jackdaw::testing
