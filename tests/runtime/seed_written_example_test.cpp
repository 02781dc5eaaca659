// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Profile seed on the example that written_example.hpp works out by hand.

#include <doctest/doctest.h>

#include "runtime/seed_reference/written_example.hpp"
#include "support/plain_seed_ops.hpp"

namespace jackdaw::testing {
namespace {

using namespace written_example;

template <class Real>
class Example : public PlainSeed<Real> {
 public:
  Example()
      : PlainSeed<Real>(kClassifiers, kNearest, kDimensions, kClasses, kMostExamples, kLearningRate,
                        kTau) {
    this->set_keys(kKeys[0]);
    for (std::size_t j = 0; j < kClassifiers; ++j) {
      for (std::size_t c = 0; c < kClasses; ++c) {
        for (std::size_t i = 0; i < kDimensions; ++i) {
          this->weight(j, c, i) = kInitial.weights[j][c][i];
        }
        this->bias(j, c) = kInitial.biases[j][c];
      }
    }
  }

  void teach_batch(std::size_t number) {
    const Batch& batch = kBatch[number];
    this->teach(batch.z[0], batch.labels, static_cast<std::uint32_t>(batch.size));
  }

  void expect(const State& state) {
    for (std::size_t j = 0; j < kClassifiers; ++j) {
      for (std::size_t c = 0; c < kClasses; ++c) {
        CAPTURE(j);
        CAPTURE(c);
        for (std::size_t i = 0; i < kDimensions; ++i) {
          CHECK(this->weight(j, c, i) == state.weights[j][c][i]);
        }
        CHECK(this->bias(j, c) == state.biases[j][c]);
      }
    }
  }

  void expect_chosen(std::size_t b, const std::uint32_t* chosen) {
    for (std::size_t r = 0; r < kNearest; ++r) CHECK(this->chosen(b)[r] == chosen[r]);
  }
};

TEST_CASE_TEMPLATE("each batch moves the rows to where the hand calculation puts them", Real,
                   double, float) {
  Example<Real> example;
  example.expect(kInitial);
  for (std::size_t number = 0; number < kBatches; ++number) {
    CAPTURE(number);
    example.teach_batch(number);
    for (std::size_t b = 0; b < kBatch[number].size; ++b) {
      example.expect_chosen(b, kBatch[number].chosen[b]);
    }
    example.expect(kAfter[number]);
  }
  CHECK(example.class_count(0) == 3);
  CHECK(example.class_count(1) == 3);
}

TEST_CASE_TEMPLATE("the answer to the query is the one worked by hand", Real, double, float) {
  Example<Real> example;
  for (std::size_t number = 0; number < kBatches; ++number) example.teach_batch(number);
  example.choose(kQuery, 1);
  example.expect_chosen(0, kQueryChosen);
  double y[kClasses] = {};
  REQUIRE(example.answer(0, y));
  const double tolerance = sizeof(Real) == sizeof(double) ? 4e-12 : 1e-6;
  for (std::size_t c = 0; c < kClasses; ++c) {
    CHECK(y[c] == doctest::Approx(kAnswer[c]).epsilon(tolerance).scale(0.0));
  }
}

TEST_CASE_TEMPLATE("of two keys that are equally near the one with the lower index is chosen", Real,
                   double, float) {
  Example<Real> example;
  example.choose(kTie, 1);
  example.expect_chosen(0, kTieChosen);
}

TEST_CASE_TEMPLATE("un-teaching the single example of batch 1 takes its step back", Real, double,
                   float) {
  Example<Real> example;
  example.teach_one(kBatch[0].z[0], kBatch[0].labels[0], 1);
  example.expect(kAfter[0]);
  example.teach_one(kBatch[0].z[0], kBatch[0].labels[0], -1);
  example.expect(kInitial);
  CHECK(example.class_count(0) == 0);
}

TEST_CASE(
    "a chosen key on the far side moves its row away from the example, and a key at a right "
    "angle not at all") {
  // Keys at cosines 1, -0.6 and 0; all three are chosen, S = 0.4 > 0.
  PlainSeed<double> seed(3, 3, 2, 1, 2, kLearningRate, kTau);
  const double keys[3][2] = {{1, 0}, {-3, 4}, {0, 1}};
  const double z[2][2] = {{2, 0}, {2, 0}};
  const std::uint32_t labels[2] = {0, 0};
  seed.set_keys(keys[0]);
  const auto expect = [&](std::int32_t near, std::int32_t far, std::int32_t aside) {
    CHECK(seed.weight(0, 0, 0) == near);
    CHECK(seed.bias(0, 0) == near);
    CHECK(seed.weight(1, 0, 0) == far);
    CHECK(seed.bias(1, 0) == far);
    CHECK(seed.weight(2, 0, 0) == aside);
    CHECK(seed.bias(2, 0) == aside);
  };
  seed.teach_one(z[0], 0, 1);
  expect(1, -1, 0);
  seed.teach(z[0], labels, 2);  // a sum of two
  expect(2, -2, 0);
  seed.teach(z[0], labels, 1);  // a batch of one
  expect(3, -3, 0);
  seed.teach_one(z[0], 0, -1);
  expect(2, -2, 0);
}

}  // namespace
}  // namespace jackdaw::testing
