// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The two baselines, read through their scores: z = 0 shows the bias, z = e_i bias plus weight i.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jackdaw/head.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

HeadSettings plane(float learning_rate, float tau) {
  HeadSettings settings;
  settings.dimensions = 2;
  settings.max_classes = 2;
  settings.seed = testing::seed();
  settings.linear.learning_rate = learning_rate;
  settings.linear.initial_scale = 1e-12F;  // so that every step can be worked out from zero
  settings.linear.tau = tau;
  return settings;
}

struct Parameters {
  double weights[2];
  double bias;
};

// Of one class (tanh), or of class 0 minus class 1 (vanilla: a softmax shows no more).
Parameters read(Head& head, HeadKind kind, double tau, std::size_t c) {
  const std::vector<float> probes = {0, 0, 1, 0, 0, 1};
  std::vector<float> y(6);
  REQUIRE(head.predict(probes, y) == Status::kOk);
  double u[3];
  for (std::size_t p = 0; p < 3; ++p) {
    u[p] = kind == HeadKind::kVanilla
               ? static_cast<double>(y[2 * p]) - static_cast<double>(y[2 * p + 1])
               : tau * std::atanh(static_cast<double>(y[2 * p + c]) / tau);
  }
  return {{u[1] - u[0], u[2] - u[0]}, u[0]};
}

void check(const Parameters& p, double w0, double w1, double bias) {
  CHECK(p.weights[0] == doctest::Approx(w0).epsilon(1e-4));
  CHECK(p.weights[1] == doctest::Approx(w1).epsilon(1e-4));
  CHECK(p.bias == doctest::Approx(bias).epsilon(1e-4));
}

TEST_CASE("vanilla: one batch worked by hand") {
  // All weights about 0, so p = 1/2 for both classes, and dL/dW_0 = (1/3) sum of (p - y_0) z:
  //   (1,1) of class 0: -1/2 (1,1);  (2,-1) of class 1: +1/2 (2,-1);  (0,1) of class 0: -1/2 (0,1)
  //   sum (1/2, -3/2), bias -1/2: W_0 moves by (-lr, +lr), its bias by +lr; class 1 the other way.
  const auto head = make_head(HeadKind::kVanilla, plane(0.01F, 250.0F));
  const std::vector<float> z = {1, 1, 2, -1, 0, 1};
  const std::vector<std::uint32_t> slots = {0, 1, 0};
  REQUIRE(head->teach(z, slots) == Status::kOk);
  check(read(*head, HeadKind::kVanilla, 0, 0), -0.02, 0.02, 0.02);
}

TEST_CASE("vanilla: scores are logarithms of probabilities") {
  const auto head = make_head(HeadKind::kVanilla, plane(0.01F, 250.0F));
  const std::vector<float> z = {300, -200};
  const std::vector<std::uint32_t> slots = {1};
  for (int time = 0; time < 300; ++time) REQUIRE(head->teach(z, slots) == Status::kOk);
  std::vector<float> y(2);
  REQUIRE(head->predict(z, y) == Status::kOk);
  CHECK(std::exp(static_cast<double>(y[0])) + std::exp(static_cast<double>(y[1])) ==
        doctest::Approx(1.0));
  CHECK(y[1] > y[0]);
  CHECK(std::isfinite(y[0]));
}

TEST_CASE("tanh: one batch worked by hand") {
  // phi' = 1 at 0: the sum over class 0 is (1,1) + (-3,1/2) = (-2,3/2), so W_0 moves by (-lr, +lr)
  // and its bias by +lr. Class 1 has no example and does not move.
  const auto head = make_head(HeadKind::kTanh, plane(0.01F, 250.0F));
  const Parameters before = read(*head, HeadKind::kTanh, 250.0, 1);
  const std::vector<float> z = {1, 1, -3, 0.5F};
  const std::vector<std::uint32_t> slots = {0, 0};
  REQUIRE(head->teach(z, slots) == Status::kOk);
  check(read(*head, HeadKind::kTanh, 250.0, 0), -0.01, 0.01, 0.01);
  const Parameters after = read(*head, HeadKind::kTanh, 250.0, 1);
  CHECK(after.weights[0] == before.weights[0]);
  CHECK(after.weights[1] == before.weights[1]);
  CHECK(after.bias == before.bias);
}

TEST_CASE("tanh: an example that is sure already pulls less") {
  // Steps of 1, tau = 1. (1,1/2) makes W = (1,1), b = 1. Then (2,1): u = 4, phi' = 1-tanh(4)^2 =
  // 0.0013; (-1/2,-1/4): u = 1/4, phi' = 0.94. The second outweighs the first, four times as long:
  // W = (0,0), b = 2. Without phi' it would be (2,2).
  const auto head = make_head(HeadKind::kTanh, plane(1.0F, 1.0F));
  const std::vector<std::uint32_t> slots = {0, 0};
  REQUIRE(head->teach(std::vector<float>{1, 0.5F}, Span<const std::uint32_t>(slots).first(1)) ==
          Status::kOk);
  REQUIRE(head->teach(std::vector<float>{2, 1, -0.5F, -0.25F}, slots) == Status::kOk);
  const Parameters p = read(*head, HeadKind::kTanh, 1.0, 0);
  CHECK(std::fabs(p.weights[0]) < 1e-4);
  CHECK(std::fabs(p.weights[1]) < 1e-4);
  CHECK(p.bias == doctest::Approx(2.0).epsilon(1e-4));
}

TEST_CASE("initial weights have the variance scale/d and end at two deviations") {
  constexpr std::uint32_t kDimensions = 500, kClasses = 20;
  for (const float scale : {0.1F, 10.0F}) {
    HeadSettings settings;
    settings.dimensions = settings.max_batch = kDimensions;
    settings.max_classes = kClasses;
    settings.seed = testing::seed();
    settings.linear.initial_scale = scale;
    const auto head = make_head(HeadKind::kTanh, settings);
    std::vector<float> units(kDimensions * kDimensions, 0.0F);
    for (std::size_t i = 0; i < kDimensions; ++i) units[i * kDimensions + i] = 1.0F;
    std::vector<float> weights(kDimensions * kClasses);
    REQUIRE(head->predict(units, weights) == Status::kOk);
    double square = 0.0, most = 0.0;
    for (const float w : weights) {
      square += static_cast<double>(w) * static_cast<double>(w) / (kDimensions * kClasses);
      most = std::max(most, std::fabs(static_cast<double>(w)));
    }
    const double variance = static_cast<double>(scale) / kDimensions;
    CHECK(square == doctest::Approx(variance).epsilon(0.05));
    CHECK(most <= 2.0 / 0.8796 * std::sqrt(variance));
    CHECK(most > 2.0 / 0.8796 * std::sqrt(variance) * 0.98);
  }
}

}  // namespace
}  // namespace jackdaw
