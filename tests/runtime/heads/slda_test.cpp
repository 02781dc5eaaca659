// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "core/cholesky.hpp"
#include "runtime/heads/gaussian_classes.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

using testing::Examples;
using testing::GaussianClasses;
using Matrix = std::vector<std::vector<double>>;

// By Gauss-Jordan with pivoting: nothing in common with the factorisation that is tested.
Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  Matrix result(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) result[i][i] = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < n; ++r) {
      if (std::fabs(a[r][i]) > std::fabs(a[pivot][i])) pivot = r;
    }
    std::swap(a[i], a[pivot]);
    std::swap(result[i], result[pivot]);
    const double scale = a[i][i];
    for (std::size_t c = 0; c < n; ++c) {
      a[i][c] /= scale;
      result[i][c] /= scale;
    }
    for (std::size_t r = 0; r < n; ++r) {
      if (r == i) continue;
      const double factor = a[r][i];
      for (std::size_t c = 0; c < n; ++c) {
        a[r][c] -= factor * a[i][c];
        result[r][c] -= factor * result[i][c];
      }
    }
  }
  return result;
}

// Means first, then the covariance about them, then scores: all examples at once.
class BatchLda {
 public:
  BatchLda(const Examples& examples, std::size_t classes, double shrinkage)
      : d_(examples.dimensions), means_(classes, std::vector<double>(d_, 0.0)) {
    std::vector<double> counts(classes, 0.0);
    for (std::size_t b = 0; b < examples.count(); ++b) {
      counts[examples.slots[b]] += 1.0;
      for (std::size_t i = 0; i < d_; ++i) means_[examples.slots[b]][i] += value(examples, b, i);
    }
    for (std::size_t c = 0; c < classes; ++c) {
      for (double& m : means_[c]) m /= counts[c];
    }
    Matrix covariance(d_, std::vector<double>(d_, 0.0));
    for (std::size_t b = 0; b < examples.count(); ++b) {
      const std::vector<double>& mean = means_[examples.slots[b]];
      for (std::size_t r = 0; r < d_; ++r) {
        for (std::size_t c = 0; c < d_; ++c) {
          covariance[r][c] += (value(examples, b, r) - mean[r]) *
                              (value(examples, b, c) - mean[c]) /
                              static_cast<double>(examples.count());
        }
      }
    }
    for (std::size_t r = 0; r < d_; ++r) {
      for (std::size_t c = 0; c < d_; ++c) {
        covariance[r][c] = (1.0 - shrinkage) * covariance[r][c] + (r == c ? shrinkage : 0.0);
      }
    }
    inverse_ = inverse(covariance);
  }

  double score(const Examples& query, std::size_t b, std::size_t c) const {
    double sum = 0.0;
    for (std::size_t r = 0; r < d_; ++r) {
      double w = 0.0;
      for (std::size_t i = 0; i < d_; ++i) w += inverse_[r][i] * means_[c][i];
      sum += w * (value(query, b, r) - 0.5 * means_[c][r]);
    }
    return sum;
  }

 private:
  static double value(const Examples& examples, std::size_t b, std::size_t i) {
    return static_cast<double>(examples.embeddings[b * examples.dimensions + i]);
  }

  std::size_t d_;
  Matrix means_;
  Matrix inverse_;
};

TEST_CASE("slda, taught in any batches, equals a batch LDA in double") {
  for (const std::size_t batch : {1U, 5U, 8U}) {
    for (const float shrinkage : {1e-4F, 0.3F}) {
      CAPTURE(batch);
      CAPTURE(shrinkage);
      GaussianClasses world(testing::seed() + batch, 4, 11, 1.0);
      const Examples train = world.draw(300);
      const Examples query = world.draw(50);
      HeadSettings settings;
      settings.dimensions = 11;
      settings.max_classes = 4;
      settings.max_batch = 8;
      settings.slda.shrinkage = shrinkage;
      const auto head = make_head(HeadKind::kSlda, settings);
      testing::teach_all(*head, train, batch);
      const std::vector<float> scores = testing::scores_of(*head, query);
      const BatchLda expected(train, 4, static_cast<double>(shrinkage));
      for (std::size_t i = 0; i < scores.size(); ++i) {
        CHECK(static_cast<double>(scores[i]) ==
              doctest::Approx(expected.score(query, i / 4, i % 4)).epsilon(2e-6));
      }
    }
  }
}

TEST_CASE("slda answers by its last refresh") {
  GaussianClasses world(testing::seed(), 3, 5, 1.0);
  HeadSettings settings;
  settings.dimensions = 5;
  settings.max_classes = 3;
  const auto head = make_head(HeadKind::kSlda, settings);
  const Examples query = world.draw(1);
  std::vector<float> scores(3);
  const Examples first = world.draw(std::vector<std::uint32_t>(30, 0));
  REQUIRE(head->teach(first.batch(0, 30), first.labels(0, 30)) == Status::kOk);
  REQUIRE(head->predict(query.embeddings, scores) == Status::kOk);
  CHECK(scores[0] == -std::numeric_limits<float>::infinity());
  REQUIRE(head->refresh() == Status::kOk);
  const std::vector<float> before = testing::scores_of(*head, query);
  const Examples more = world.draw(30);
  REQUIRE(head->teach(more.batch(0, 30), more.labels(0, 30)) == Status::kOk);
  CHECK(testing::scores_of(*head, query) == before);
  REQUIRE(head->refresh() == Status::kOk);
  CHECK(testing::scores_of(*head, query) != before);
}

TEST_CASE("slda answers from one example on, and when examples repeat") {
  HeadSettings settings;
  settings.dimensions = 3;
  settings.max_classes = 2;
  const auto head = make_head(HeadKind::kSlda, settings);
  const std::vector<float> z = {1, 2, 3, 3, 2, 1};
  const std::vector<std::uint32_t> slots = {0, 1};
  for (int time = 0; time < 5; ++time) {  // no spread at all: only the shrinkage is left
    REQUIRE(head->teach(z, slots) == Status::kOk);
    REQUIRE(head->refresh() == Status::kOk);
    std::vector<float> scores(4);
    REQUIRE(head->predict(z, scores) == Status::kOk);
    CHECK(scores[0] > scores[1]);
    CHECK(scores[3] > scores[2]);
  }
}

TEST_CASE("factor and solve undo a product") {
  constexpr std::size_t kSize = 37;
  std::mt19937_64 random(testing::seed());
  std::normal_distribution<double> normal;
  Matrix b(kSize, std::vector<double>(kSize));
  for (auto& row : b)
    for (double& v : row) v = normal(random);
  std::vector<double> packed(packed_row(kSize));
  Matrix a(kSize, std::vector<double>(kSize, 0.0));
  for (std::size_t r = 0; r < kSize; ++r) {
    for (std::size_t c = 0; c < kSize; ++c) {
      for (std::size_t i = 0; i < kSize; ++i) a[r][c] += b[r][i] * b[c][i];
      if (r == c) a[r][c] += 0.5;
      if (c <= r) packed[packed_row(r) + c] = a[r][c];
    }
  }
  std::vector<double> x(kSize);
  std::vector<double> product(kSize, 0.0);
  for (double& v : x) v = normal(random);
  for (std::size_t r = 0; r < kSize; ++r) {
    for (std::size_t c = 0; c < kSize; ++c) product[r] += a[r][c] * x[c];
  }
  factor(packed.data(), kSize, 0.5);
  solve(packed.data(), kSize, product.data());
  for (std::size_t i = 0; i < kSize; ++i) CHECK(product[i] == doctest::Approx(x[i]).epsilon(1e-9));
}

}  // namespace
}  // namespace jackdaw
