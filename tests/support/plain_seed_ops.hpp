// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profile seed's rule (cpu/seed_rule.hpp) on plain loops of any number type, with the caller's own
// keys and rows of int32: the product's text of the rule, without its float loops.
//
//   PlainSeed<double> seed(n, k, d, classes, most, learning_rate, tau);
//   seed.set_keys(keys);  seed.weight(j, c, i) = ...;
//   seed.choose(z, batch);                       // then chosen(b), answer(b)
//   seed.teach(z, labels, batch);

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/store_view.hpp"
#include "cpu/seed_rule.hpp"

namespace jackdaw::testing {

template <class Number>
struct PlainOps {
  using Real = Number;

  const StoreShape& shape;
  const std::vector<Real>& keys;      // [n][stride]
  const std::vector<Real>& examples;  // [most][stride]
  std::vector<std::int32_t>& rows;    // [n][classes][stride]
  // Settings hold floats; 1e-4 in double is not 1e-4F. This makes up for it.
  Real argument_scale;

  const Real* example(std::size_t b) const { return examples.data() + b * shape.stride; }
  void similarities(std::uint32_t batch, Real* out) const {
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t j = 0; j < shape.classifiers; ++j) {
        const Real* key = keys.data() + j * shape.stride;
        out[b * shape.classifiers + j] =
            std::inner_product(key, key + shape.stride, example(b), Real{0});
      }
    }
  }
  void top_k(const Real* similarity, std::uint32_t* chosen) const {
    std::vector<std::uint32_t> order(shape.classifiers);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return similarity[a] > similarity[b];
    });
    std::sort(order.begin(), order.begin() + shape.nearest);
    std::copy_n(order.begin(), shape.nearest, chosen);
  }
  void signs(const Real* x, std::int8_t* out) const {
    for (std::size_t i = 0; i < shape.stride; ++i) {
      out[i] = static_cast<std::int8_t>((x[i] > 0 ? 1 : 0) - (x[i] < 0 ? 1 : 0));
    }
  }
  Real dot(const Real* x, std::size_t j, std::size_t c) const {
    const std::int32_t* row = rows.data() + shape.row(j, c) * shape.stride;
    Real sum = 0;
    for (std::size_t i = 0; i < shape.stride; ++i) sum += static_cast<Real>(row[i]) * x[i];
    return sum;
  }
  void dots(const Real* x, std::size_t j, std::uint32_t slots, Real* out) const {
    for (std::uint32_t c = 0; c < slots; ++c) out[c] = dot(x, j, c);
  }
  bool add(std::size_t j, std::size_t c, const std::int8_t* delta, int sign) const {
    std::int32_t* row = rows.data() + shape.row(j, c) * shape.stride;
    for (std::size_t i = 0; i < shape.stride; ++i) row[i] += sign * delta[i];
    return false;
  }
  Real tanh(Real value) const { return std::tanh(value * argument_scale); }
  void axpy(Real a, const Real* x, Real* y) const {
    for (std::size_t i = 0; i < shape.stride; ++i) y[i] += a * x[i];
  }
};

template <class Real>
class PlainSeed {
 public:
  PlainSeed(std::uint32_t n, std::uint32_t k, std::uint32_t d, std::uint32_t classes,
            std::uint32_t most, double learning_rate, double tau)
      : settings_(settings(learning_rate, tau)),
        keys_(std::size_t{n} * padded(d)),
        examples_(std::size_t{most} * padded(d)),
        rows_(std::size_t{n} * classes * padded(d)),
        counts_(std::size_t{n} * classes),
        class_counts_(classes),
        class_clipped_(classes),
        similarities_(std::size_t{most} * n),
        weights_(std::size_t{most} * k),
        dots_(classes),
        answers_(std::size_t{most} * classes),
        gradient_(padded(d)),
        chosen_(std::size_t{most} * k),
        signs_(padded(d)),
        example_signs_(std::size_t{most} * padded(d)),
        totals_(most),
        next_(std::size_t{most} * k),
        head_(n),
        tau_scale_(tau / static_cast<double>(settings_.seed_rule.tau)),
        ops_{store_.shape, keys_, examples_, rows_,
             static_cast<Real>(learning_rate /
                               static_cast<double>(settings_.seed_rule.learning_rate) /
                               tau_scale_)} {
    store_.shape = {n, k, d, padded(d), classes};
    store_.rows = rows_.data();
    store_.counts = counts_.data();
    store_.class_counts = class_counts_.data();
    store_.class_clipped = class_clipped_.data();
    buffers_ = {chosen_.data(),   weights_.data(), dots_.data(),          answers_.data(),
                gradient_.data(), signs_.data(),   example_signs_.data(), totals_.data(),
                next_.data(),     head_.data()};
  }
  PlainSeed(const PlainSeed&) = delete;
  PlainSeed& operator=(const PlainSeed&) = delete;

  // [n][d], of any length.
  void set_keys(const double* keys) { unit_rows(keys, store_.shape.classifiers, keys_); }

  std::int32_t& weight(std::size_t j, std::size_t c, std::size_t i) {
    return rows_[store_.shape.row(j, c) * store_.shape.stride + i];
  }
  std::int32_t& bias(std::size_t j, std::size_t c) { return counts_[store_.shape.row(j, c)]; }
  std::int32_t class_count(std::size_t c) const { return class_counts_[c]; }

  // z: [batch][d].
  void choose(const double* z, std::uint32_t batch) {
    unit_rows(z, batch, examples_);
    ops_.similarities(batch, similarities_.data());
    const std::size_t n = store_.shape.classifiers;
    const std::size_t k = store_.shape.nearest;
    for (std::size_t b = 0; b < batch; ++b) {
      ops_.top_k(similarities_.data() + b * n, chosen_.data() + b * k);
      for (std::size_t r = b * k; r < (b + 1) * k; ++r) {
        weights_[r] = similarities_[b * n + chosen_[r]];
      }
    }
    step().add_up(batch);
  }
  const std::uint32_t* chosen(std::size_t b) const {
    return chosen_.data() + b * store_.shape.nearest;
  }
  void teach(const double* z, const std::uint32_t* labels, std::uint32_t batch) {
    choose(z, batch);
    step().prepare(batch);
    step().teach(batch, labels, 0, store_.shape.classifiers);
    step().count(batch, labels);
  }
  void teach_one(const double* z, std::uint32_t label, int sign) {
    choose(z, 1);
    step().teach_one(0, label, sign);
  }
  // After choose(), for example b of it; false if the similarities do not sum to more than 0.
  bool answer(std::size_t b, double* y) {
    const std::size_t classes = store_.shape.max_classes;
    static_cast<void>(step().answer(static_cast<std::uint32_t>(b) + 1, store_.shape.max_classes));
    if (!(step().total(b) > 0)) return false;
    for (std::size_t c = 0; c < classes; ++c) {
      y[c] = static_cast<double>(answers_[b * classes + c]) * tau_scale_;
    }
    return true;
  }

 private:
  static EnsembleSettings settings(double learning_rate, double tau) {
    EnsembleSettings s;
    s.profile = Profile::kSeed;
    s.seed_rule.learning_rate = static_cast<float>(learning_rate);
    s.seed_rule.tau = static_cast<float>(tau);
    return s;
  }

  SeedStep<PlainOps<Real>> step() const { return {settings_, store_, buffers_, ops_}; }

  // x = z / sqrt(max(|z|^2, 1e-12)), padded with zeros.
  void unit_rows(const double* z, std::size_t count, std::vector<Real>& out) const {
    const std::size_t d = store_.shape.dimensions;
    for (std::size_t b = 0; b < count; ++b, z += d) {
      const double square = std::inner_product(z, z + d, z, 0.0);
      const double length = std::sqrt(std::max(square, 1e-12));
      for (std::size_t i = 0; i < d; ++i) {
        out[b * store_.shape.stride + i] = static_cast<Real>(z[i] / length);
      }
    }
  }

  EnsembleSettings settings_;
  StoreView store_;
  std::vector<Real> keys_, examples_;
  std::vector<std::int32_t> rows_, counts_, class_counts_, class_clipped_;
  std::vector<Real> similarities_, weights_, dots_, answers_, gradient_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::int8_t> signs_, example_signs_;
  std::vector<Real> totals_;
  std::vector<std::int32_t> next_, head_;
  double tau_scale_;
  SeedBuffers<Real> buffers_;
  PlainOps<Real> ops_;
};

}  // namespace jackdaw::testing
