// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Both profiles a second time, in double and without any structure: what design.md and the headers
// say, and nothing of how the product does it. Examples are kept; everything is computed from them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/door.hpp"
#include "core/store_view.hpp"
#include "jackdaw/ensemble.hpp"
#include "support/dense_whitening.hpp"
#include "support/streams.hpp"

namespace jackdaw::testing {

using Vector = std::vector<double>;

inline double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Chosen {
  std::vector<std::uint32_t> classifiers;  // ascending
  Vector similarities;
  double gap = 0;  // between the last that was chosen and the first that was not
};

inline Chosen k_nearest(const std::vector<Vector>& keys, const Vector& x, std::size_t k) {
  std::vector<std::pair<double, std::uint32_t>> order;
  for (std::uint32_t j = 0; j < keys.size(); ++j) order.emplace_back(-dot(keys[j], x), j);
  std::sort(order.begin(), order.end());
  Chosen chosen;
  chosen.gap = k < order.size() ? order[k].first - order[k - 1].first
                                : std::numeric_limits<double>::infinity();
  std::map<std::uint32_t, double> by_index;
  for (std::size_t r = 0; r < k; ++r) by_index[order[r].second] = -order[r].first;
  for (const auto& [j, s] : by_index) {
    chosen.classifiers.push_back(j);
    chosen.similarities.push_back(s);
  }
  return chosen;
}

inline std::vector<Vector> keys_of(const Ensemble& ensemble) {
  const EnsembleSettings& s = ensemble.settings();
  const auto* from = reinterpret_cast<const std::int8_t*>(ensemble.keys().data());
  std::vector<Vector> keys(s.classifiers);
  for (std::size_t j = 0; j < keys.size(); ++j) {
    for (std::size_t i = 0; i < s.dimensions; ++i) {
      keys[j].push_back(static_cast<double>(from[j * padded(s.dimensions) + i]));
    }
  }
  return keys;
}

// As directions of length 1.
inline std::vector<Vector> unit_keys_of(const Ensemble& ensemble) {
  std::vector<Vector> keys = keys_of(ensemble);
  for (Vector& key : keys) {
    const double length = std::sqrt(dot(key, key));
    for (double& element : key) element /= length;
  }
  return keys;
}

template <class T>
Vector example_as(const Bytes& example) {
  Vector x(example.size() / sizeof(T));
  for (std::size_t i = 0; i < x.size(); ++i) {
    T value;
    std::memcpy(&value, example.data() + i * sizeof(T), sizeof(T));
    x[i] = static_cast<double>(value);
  }
  return x;
}

struct NaiveScore {
  double score = -std::numeric_limits<double>::infinity();
  double typicality = 0;
};

// Profile default.
class NaiveDefault {
 public:
  explicit NaiveDefault(const Ensemble& like)
      : s_(like.settings()), keys_(keys_of(like)), taught_(s_.max_classes) {
    refresh();
  }

  Chosen nearest(const Bytes& example) const {
    return k_nearest(keys_, example_as<std::int8_t>(example), s_.nearest);
  }

  void teach(const Bytes& example, std::uint32_t c) {
    taught_[c].push_back({example_as<std::int8_t>(example), nearest(example).classifiers});
  }

  void refresh() {
    Examples classes(taught_.size());
    for (std::size_t c = 0; c < taught_.size(); ++c) {
      for (const Entry& e : taught_[c]) classes[c].emplace_back(e.x.begin(), e.x.end());
    }
    inverse_ = dense_whitening(s_, classes);
  }

  // Each classifier's view of a class: the sum and number of the examples that chose it.
  std::vector<NaiveScore> answer(const Bytes& example) const {
    const DefaultRule& rule = s_.default_rule;
    const Vector u = whitened(example_as<std::int8_t>(example));
    const Chosen chosen = nearest(example);
    Vector share;
    double total = 0;
    for (const double similarity : chosen.similarities) total += std::max(similarity, 0.0);
    for (const double similarity : chosen.similarities) {
      share.push_back(total > 0 ? std::max(similarity, 0.0) / total : 1.0 / s_.nearest);
    }

    const std::size_t classes = taught_.size();
    Vector agreement(classes), of_mean(classes), norm(classes);
    double corrected = 0, norms = 0, examples = 0, used = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (taught_[c].empty()) continue;
      const Vector mean = mean_of(c);
      const auto count = static_cast<double>(taught_[c].size());
      agreement[c] = of_mean[c] = dot(u, mean);
      norm[c] = dot(mean, whitened(mean));
      corrected += norm[c] * count - s_.dimensions;
      norms += norm[c];
      examples += count;
      used += 1;
    }
    for (std::size_t r = 0; r < chosen.classifiers.size(); ++r) {
      Vector beyond(classes), counts(classes);
      for (std::size_t c = 0; c < classes; ++c) {
        for (const Entry& e : taught_[c]) {
          if (!std::binary_search(e.chosen.begin(), e.chosen.end(), chosen.classifiers[r]))
            continue;
          beyond[c] += dot(u, e.x) - of_mean[c];
          counts[c] += 1;
        }
      }
      const double alike = std::accumulate(beyond.begin(), beyond.end(), 0.0) /
                           (std::accumulate(counts.begin(), counts.end(), 0.0) +
                            static_cast<double>(rule.offset_examples));
      for (std::size_t c = 0; c < classes; ++c) {
        agreement[c] += share[r] * (beyond[c] - counts[c] * alike) /
                        (counts[c] + static_cast<double>(rule.lambda));
      }
    }

    std::vector<NaiveScore> scores(classes);
    if (used == 0) return scores;
    const double common = std::max(corrected / examples, 0.02 * norms / used);
    const double scale = common / (norms / used) / static_cast<double>(rule.temperature);
    for (std::size_t c = 0; c < classes; ++c) {
      if (taught_[c].empty()) continue;
      const auto count = static_cast<double>(taught_[c].size());
      const double weight = count / (count + static_cast<double>(rule.pool_examples));
      const double pulled = weight * (norm[c] - s_.dimensions / count) + (1 - weight) * common;
      const double settled =
          std::max({pulled, static_cast<double>(rule.least_norm) * norm[c], 1e-12});
      scores[c] = {scale * agreement[c] / std::sqrt(settled), agreement[c] / settled};
    }
    return scores;
  }

 private:
  struct Entry {
    Vector x;
    std::vector<std::uint32_t> chosen;
  };

  Vector whitened(const Vector& x) const {
    Vector u(x.size());
    for (std::size_t r = 0; r < x.size(); ++r) {
      long double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        sum += inverse_[r][i] * static_cast<long double>(x[i]);
      u[r] = static_cast<double>(sum);
    }
    return u;
  }

  Vector mean_of(std::size_t c) const {
    Vector mean(s_.dimensions);
    for (const Entry& e : taught_[c]) {
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += e.x[i];
    }
    for (double& m : mean) m /= static_cast<double>(taught_[c].size());
    return mean;
  }

  EnsembleSettings s_;
  std::vector<Vector> keys_;
  std::vector<std::vector<Entry>> taught_;  // [class]
  Matrix inverse_;
};

// Profile seed. Weights and biases in steps of the learning rate.
class NaiveSeed {
 public:
  explicit NaiveSeed(const Ensemble& like) : s_(like.settings()), keys_(unit_keys_of(like)) {
    for (std::uint32_t j = 0; j < s_.classifiers; ++j) {
      for (std::uint32_t c = 0; c < s_.max_classes; ++c) {
        std::vector<std::int32_t> steps(s_.dimensions);
        draw_initial_row(s_, j, c, steps);
        rows_[{j, c}].w.assign(steps.begin(), steps.end());
        rows_[{j, c}].uncertain.assign(s_.dimensions, false);
      }
    }
  }

  struct Row {
    Vector w;
    double bias = 0;
    std::vector<bool>
        uncertain;  // a summed gradient was so near to 0 that its sign is a matter of luck
  };

  const Row& row(std::uint32_t j, std::uint32_t c) const { return rows_.at({j, c}); }

  Chosen nearest(const Bytes& example) const {
    return k_nearest(keys_, example_as<float>(example), s_.nearest);
  }

  // p <- p - lr*sign(dL/dp), L = -mean of y_true, all examples seen with the weights from before.
  void teach(const std::vector<Taught>& batch) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Vector, double>> gradients;
    for (const Taught& t : batch) {
      const Vector x = example_as<float>(t.example);
      const Chosen chosen = nearest(t.example);
      const double total =
          std::accumulate(chosen.similarities.begin(), chosen.similarities.end(), 0.0);
      if (total <= 0) continue;
      for (std::size_t r = 0; r < chosen.classifiers.size(); ++r) {
        const std::uint32_t j = chosen.classifiers[r];
        const double th = std::tanh(argument(j, t.slot, x));
        const double pull = chosen.similarities[r] / total * (1 - th * th);
        auto& [for_weights, for_bias] = gradients[{j, t.slot}];
        for_weights.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) for_weights[i] += pull * x[i];
        for_bias += pull;
      }
    }
    for (const auto& [at, gradient] : gradients) {
      Row& moved = rows_[at];
      for (std::size_t i = 0; i < moved.w.size(); ++i) {
        moved.w[i] += sign(gradient.first[i]);
        if (batch.size() > 1 && std::fabs(gradient.first[i]) <= 1e-6) moved.uncertain[i] = true;
      }
      moved.bias += sign(gradient.second);
    }
  }

  Vector answer(const Bytes& example) const {
    const Vector x = example_as<float>(example);
    const Chosen chosen = nearest(example);
    const double total =
        std::accumulate(chosen.similarities.begin(), chosen.similarities.end(), 0.0);
    Vector y(s_.max_classes);
    for (std::uint32_t c = 0; c < s_.max_classes; ++c) {
      for (std::size_t r = 0; r < chosen.classifiers.size(); ++r) {
        y[c] += chosen.similarities[r] / total * static_cast<double>(s_.seed_rule.tau) *
                std::tanh(argument(chosen.classifiers[r], c, x));
      }
    }
    return y;
  }

 private:
  static double sign(double value) { return static_cast<double>((value > 0) - (value < 0)); }

  double argument(std::uint32_t j, std::uint32_t c, const Vector& x) const {
    const Row& row = rows_.at({j, c});
    return (dot(row.w, x) + row.bias) * static_cast<double>(s_.seed_rule.learning_rate) /
           static_cast<double>(s_.seed_rule.tau);
  }

  EnsembleSettings s_;
  std::vector<Vector> keys_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Row> rows_;
};

}  // namespace jackdaw::testing
