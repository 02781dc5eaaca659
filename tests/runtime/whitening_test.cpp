// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "core/whitening.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/dense_whitening.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {
namespace {

// The statistics that the product keeps, built from plain examples.
struct Statistics {
  Statistics(const EnsembleSettings& s, const Examples& classes)
      : settings(s),
        stride(padded(s.dimensions)),
        sums(s.max_classes * stride),
        counts(s.max_classes),
        scatter(stride * stride) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (const auto& x : classes[c]) {
        ++counts[c];
        for (std::size_t r = 0; r < x.size(); ++r) {
          sums[c * stride + r] += x[r];
          for (std::size_t i = 0; i < x.size(); ++i) {
            if (i < 16 * (r / 16 + 1)) scatter[r * stride + i] += x[r] * x[i];
          }
        }
      }
    }
  }

  std::vector<float> inverse() const {
    std::vector<double> work(whitening_doubles(stride),
                             std::nan(""));  // nothing of it may be relied on
    std::vector<float> out(stride * stride, std::nanf(""));
    load_scatter(shape_of(settings), scatter.data(), work.data());
    compute_whitening(settings, {sums.data(), counts.data(), retired}, work.data(), out.data());
    return out;
  }

  EnsembleSettings settings;
  std::size_t stride;
  std::vector<std::int32_t> sums, counts, scatter;
  Retired retired;
};

EnsembleSettings whitening_settings(Rng& rng) {
  EnsembleSettings s = random_settings(Profile::kDefault, StoreType::kInt16, rng);
  s.max_classes = between(rng, 1, 6);
  // From hardly any shrinkage to much of it, with the few examples here.
  s.default_rule.shrink_examples = static_cast<float>(between(rng, 1, 400)) / 40.0F;
  return s;
}

Examples random_examples(const EnsembleSettings& s, Rng& rng) {
  // Correlated, so that the covariance is far from a multiple of the unit matrix.
  Examples classes(s.max_classes);
  std::normal_distribution<double> normal;
  for (auto& members : classes) {
    std::vector<double> mean(s.dimensions);
    for (double& m : mean) m = 5.0 * normal(rng);
    members.resize(between(rng, 0, 3) == 0 ? 0 : between(rng, 1, 120));
    for (auto& x : members) {
      double walk = 0.0;
      for (std::size_t i = 0; i < s.dimensions; ++i) {
        walk = 0.8 * walk + 4.0 * normal(rng);
        x.push_back(static_cast<int>(std::clamp(std::nearbyint(mean[i] + walk), -127.0, 127.0)));
      }
    }
  }
  return classes;
}

double largest(const Matrix& matrix) {
  long double most = 0;
  for (const auto& row : matrix) {
    for (const long double value : row) most = std::max(most, std::fabs(value));
  }
  return static_cast<double>(most);
}

double difference(const std::vector<float>& inverse, const Matrix& expected, std::size_t stride) {
  double most = 0;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 0; c < expected.size(); ++c) {
      most = std::max(most, std::fabs(static_cast<double>(inverse[r * stride + c]) -
                                      static_cast<double>(expected[r][c])));
    }
  }
  return most / largest(expected);
}

TEST_CASE(
    "the whitening is the inverse of the shrunk within-class covariance, to a float's precision") {
  Rng rng(seed());
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    const EnsembleSettings s = whitening_settings(rng);
    CAPTURE(name_of_case(s));
    const Examples classes = random_examples(s, rng);
    const Statistics statistics(s, classes);
    const auto inverse = statistics.inverse();
    const double off = difference(inverse, dense_whitening(s, classes), statistics.stride);
    CHECK(off < 1e-6);
    worst = std::max(worst, off);
    for (std::size_t r = 0; r < statistics.stride; ++r) {  // padding is zero; symmetric to the bit
      for (std::size_t c = 0; c < statistics.stride; ++c) {
        REQUIRE(inverse[r * statistics.stride + c] == inverse[c * statistics.stride + r]);
        if (r >= s.dimensions || c >= s.dimensions) {
          REQUIRE(inverse[r * statistics.stride + c] == 0.0F);
        }
      }
    }
  }
  MESSAGE("largest difference, relative to the largest element: " << worst);
}

TEST_CASE("without any example the whitening is the prior variance's inverse on the diagonal") {
  Rng rng(seed());
  const EnsembleSettings s = whitening_settings(rng);
  const Statistics statistics(s, Examples(s.max_classes));
  const auto inverse = statistics.inverse();
  const float expected = 1.0F / (0.85F * 4.0F * 4.0F);
  for (std::size_t r = 0; r < s.dimensions; ++r) {
    CHECK(inverse[r * statistics.stride + r] == doctest::Approx(expected).epsilon(1e-6));
    for (std::size_t c = 0; c < r; ++c) CHECK(inverse[r * statistics.stride + c] == 0.0F);
  }
}

// One class that spreads alike over the first of its dimensions, or over all of them. In the last
// it has the shrunk variance only, s*v, or s*v + (1-s)*c where c is the covariance.
double shrinkage_seen(std::uint32_t dimensions, std::size_t spread, int rounds) {
  EnsembleSettings s;
  s.dimensions = dimensions;
  s.max_classes = 1;
  s.default_rule.prior_examples = 1e-3F;  // as good as none
  Examples classes(1);
  for (int i = 0; i < rounds; ++i) {
    for (std::size_t r = 0; r < spread; ++r) {
      for (const int x : {-8, 8}) {
        classes[0].emplace_back(dimensions);
        classes[0].back()[r] = x;
      }
    }
  }
  const auto examples = static_cast<double>(classes[0].size());
  const double covariance = 128.0 * rounds / (examples - 1);  // of each dimension it spreads over
  const double variance = covariance * static_cast<double>(spread) / dimensions;
  const Statistics statistics(s, classes);
  const std::size_t last = (dimensions - 1) * (std::size_t{statistics.stride} + 1);
  const double seen = 1.0 / static_cast<double>(statistics.inverse()[last]);
  return spread == dimensions ? seen / covariance : seen / variance;
}

// To a thousandth of itself: the prior is not quite none.
doctest::Approx nearly(double value) { return doctest::Approx(value).epsilon(1e-3).scale(0.0); }

TEST_CASE("shrinkage fades with the examples, sooner where they spread over few dimensions") {
  // e = 1: s = exp(-examples/50) as (1 + x/64)^-64, and never below 0.01.
  CHECK(shrinkage_seen(4, 1, 5) == nearly(0.83733));
  CHECK(shrinkage_seen(4, 1, 25) == nearly(0.37826));
  CHECK(shrinkage_seen(4, 1, 100) == nearly(0.021046));
  CHECK(shrinkage_seen(4, 1, 1000) == nearly(0.01));
  // e = 2: twice as long.
  CHECK(shrinkage_seen(4, 2, 25) == nearly(0.37818));
  // e is never taken to be less than d/16.
  CHECK(shrinkage_seen(64, 1, 25) == nearly(0.77918));
  // The same in all directions: shrunk or not, it is the covariance.
  CHECK(shrinkage_seen(4, 4, 25) == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("a retired class leaves its spread behind and nothing of its place") {
  Rng rng(seed());
  for (int round = 0; round < 30; ++round) {
    EnsembleSettings s = whitening_settings(rng);
    CAPTURE(name_of_case(s));
    const Examples classes = random_examples(s, rng);
    const std::size_t gone = between(rng, 0, s.max_classes - 1);
    Statistics kept(s, classes);
    if (kept.counts[gone] == 0) continue;
    Statistics retired = kept;
    const std::int32_t count = retired.counts[gone];
    std::int32_t* sums = retired.sums.data() + gone * retired.stride;
    add_outer_of_mean(retired.scatter.data(), padded(s.dimensions), sums, count, -1);
    std::fill_n(sums, retired.stride, 0);
    retired.counts[gone] = 0;
    retired.retired = {count, 1};
    // Rounding S S'/n to whole numbers is all that may differ: half a unit of thousands.
    Matrix before(s.dimensions, std::vector<long double>(s.dimensions));
    const auto exact = kept.inverse();
    for (std::size_t r = 0; r < s.dimensions; ++r) {
      for (std::size_t c = 0; c < s.dimensions; ++c) before[r][c] = exact[r * kept.stride + c];
    }
    CHECK(difference(retired.inverse(), before, kept.stride) < 0.02);
    for (std::size_t r = 0; r < retired.stride; ++r) {
      CHECK(retired.scatter[r * retired.stride + r] >= 0);
      if (r >= s.dimensions) CHECK(retired.scatter[r * retired.stride + r] == 0);
    }
  }
}

TEST_CASE("a class moved far away does not change the whitening once it is retired") {
  EnsembleSettings s;
  s.dimensions = 5;
  s.max_classes = 1;
  Rng rng(seed());
  Examples here(1), there(1);
  for (int i = 0; i < 40; ++i) {
    std::vector<int> x(5), y(5);
    for (std::size_t r = 0; r < 5; ++r) {
      x[r] = static_cast<int>(between(rng, 0, 30)) - 15;
      y[r] = x[r] + (r % 2 == 0 ? 100 : -90);
    }
    here[0].push_back(x);
    there[0].push_back(y);
  }
  std::vector<std::vector<float>> inverses;
  for (const Examples& examples : {here, there}) {
    Statistics statistics(s, examples);
    add_outer_of_mean(statistics.scatter.data(), 32, statistics.sums.data(), 40, -1);
    std::fill(statistics.sums.begin(), statistics.sums.end(), 0);
    statistics.counts[0] = 0;
    statistics.retired = {40, 1};
    inverses.push_back(statistics.inverse());
  }
  for (std::size_t i = 0; i < inverses[0].size(); ++i) {
    CHECK(inverses[0][i] == doctest::Approx(inverses[1][i]).epsilon(0.01).scale(0.01));
  }
}

TEST_CASE("taking a class's outer product away and adding it again restores every bit") {
  Rng rng(seed());
  const std::uint32_t stride = 64;
  std::vector<std::int32_t> scatter(stride * stride), sums(stride);
  for (std::int32_t& v : scatter) v = static_cast<std::int32_t>(between(rng, 0, 2000000)) - 1000000;
  for (std::int32_t& v : sums) v = static_cast<std::int32_t>(between(rng, 0, 20000)) - 10000;
  const auto before = scatter;
  add_outer_of_mean(scatter.data(), stride, sums.data(), 77, -1);
  CHECK(scatter != before);
  add_outer_of_mean(scatter.data(), stride, sums.data(), 77, 1);
  CHECK(scatter == before);
  add_outer_of_mean(scatter.data(), stride, sums.data(), 0, -1);  // no examples: nothing to take
  CHECK(scatter == before);
}

TEST_CASE("a quotient of sums is rounded to nearest, halves away from zero") {
  std::vector<std::int32_t> scatter(32 * 32), sums(32);
  sums[0] = 3;
  sums[1] = -3;
  sums[2] = 1;
  add_outer_of_mean(scatter.data(), 32, sums.data(), 2, 1);
  CHECK(scatter[0] == 5);    //  9/2
  CHECK(scatter[32] == -5);  // -9/2
  CHECK(scatter[64] == 2);   //  3/2
  CHECK(scatter[65] == -2);  // -3/2
  CHECK(scatter[66] == 1);   //  1/2
}

TEST_CASE("pooled norms, worked by hand") {
  EnsembleSettings s;
  s.dimensions = 10;
  s.default_rule.temperature = 0.5F;
  // Classes of 4, 0 (open, empty), -1 (closed) and 6 examples, norms 20 and 30.
  const float norms[] = {20.0F, 99.0F, 99.0F, 30.0F};
  const std::int32_t counts[] = {4, 0, -1, 6};
  // (20*4 - 10 + 30*6 - 10) / 10 = 24; mean norm 25; scale 24/25/0.5
  const Pooled pooled = pool_norms(s, norms, counts, 4);
  CHECK(pooled.norm == doctest::Approx(24.0));
  CHECK(pooled.scale == doctest::Approx(1.92));
  // Only slots below the given number count: (80 - 10)/4 = 17.5, mean 20.
  CHECK(pool_norms(s, norms, counts, 3).norm == doctest::Approx(17.5));
  CHECK(pool_norms(s, norms, counts, 3).scale == doctest::Approx(1.75));
  // So noisy that nothing would be left: 2 % of the mean norm stays.
  const float small[] = {2.0F, 0, 0, 2.0F};
  CHECK(pool_norms(s, small, counts, 4).norm == doctest::Approx(0.04));
  CHECK(pool_norms(s, small, counts, 4).scale == doctest::Approx(0.04));
  // Nothing taught.
  const std::int32_t none[] = {0, -1, -1, 0};
  CHECK(pool_norms(s, norms, none, 4).norm == 1.0F);
  CHECK(pool_norms(s, norms, none, 4).scale == 1.0F);
}

TEST_CASE("settled norms, worked by hand") {
  DefaultRule rule;
  rule.pool_examples = 10.0F;
  rule.least_norm = 0.1F;
  // weight 30/40; 0.75*(20 - 12/30) + 0.25*8
  CHECK(settled_norm(rule, 12.0F, 20.0F, 30.0F, 8.0F) == doctest::Approx(16.7));
  // weight 1/11; (20 - 300)/11 + 10/11*8 is below 0: a tenth of the norm stays
  CHECK(settled_norm(rule, 300.0F, 20.0F, 1.0F, 8.0F) == doctest::Approx(2.0));
  CHECK(settled_norm(rule, 300.0F, 0.0F, 1.0F, 0.0F) == doctest::Approx(1e-12));
}

}  // namespace
}  // namespace jackdaw::testing
