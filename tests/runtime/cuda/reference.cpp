// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/store_view.hpp"
#include "core/tanh32.hpp"

namespace jackdaw::reference {
namespace {

constexpr ClassScore kNone{-std::numeric_limits<float>::infinity(), 0.0F};

int sign_of(float value) { return value > 0.0F ? 1 : value < 0.0F ? -1 : 0; }

std::vector<int> signs(const Example& x) {
  std::vector<int> all;
  for (const float value : x) all.push_back(sign_of(value));
  return all;
}

template <class T>
std::vector<float> floats(const std::vector<T>& from, std::size_t start, std::size_t count) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(from[start + i]);
  return out;
}

// An element of x in whole steps of 2^-25, the nearest one, ties to even; what is beyond +-1, or
// NaN, is held at 1 as fixed_point() holds it.
std::int64_t whole_steps(float x) {
  const double inside = std::isnan(x) ? 1.0 : std::clamp(static_cast<double>(x), -1.0, 1.0);
  return static_cast<std::int64_t>(std::nearbyint(std::ldexp(inside, 25)));
}

}  // namespace

float lane_dot(const std::vector<float>& a, const std::vector<float>& b) {
  float acc[16] = {};
  for (std::size_t i = 0; i < a.size(); ++i) acc[i % 16] = std::fma(a[i], b[i], acc[i % 16]);
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t l = 0; l < width; ++l) acc[l] += acc[l + width];
  }
  return acc[0];
}

Reference::Reference(const EnsembleSettings& s)
    : settings(s),
      stride(padded(s.dimensions)),
      keys(s.classifiers * stride),
      inverse_lengths(s.classifiers),
      rows(std::size_t{s.classifiers} * s.max_classes * stride),
      counts(std::size_t{s.classifiers} * s.max_classes),
      class_sums(s.max_classes * stride),
      class_counts(s.max_classes, -1),
      class_clipped(s.max_classes),
      scatter(stride * stride),
      inverse(stride * stride),
      class_norms(s.max_classes, 1.0F) {}

std::vector<float> Reference::row_of(std::size_t j, std::size_t c) const {
  return floats(rows, row(j, c) * stride, stride);
}

std::vector<double> Reference::similarities(const Example& x) const {
  const bool seed = settings.profile == Profile::kSeed;
  std::vector<double> all;
  for (std::size_t j = 0; j < settings.classifiers; ++j) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < stride; ++i) {
      sum += keys[j * stride + i] * (seed ? whole_steps(x[i]) : static_cast<std::int64_t>(x[i]));
    }
    const float cosine = std::ldexp(static_cast<float>(sum) * inverse_lengths[j], -25);
    all.push_back(seed ? static_cast<double>(cosine) : static_cast<double>(sum));
  }
  return all;
}

void Reference::measure_keys() {
  for (std::size_t j = 0; j < settings.classifiers; ++j) {
    double square = 0.0;
    for (std::size_t i = 0; i < stride; ++i) square += keys[j * stride + i] * keys[j * stride + i];
    inverse_lengths[j] = static_cast<float>(1.0 / std::sqrt(square));
  }
}

Chosen Reference::choose(const std::vector<double>& similarity) const {
  Chosen chosen;
  chosen.index.resize(settings.classifiers);
  std::iota(chosen.index.begin(), chosen.index.end(), 0U);
  std::stable_sort(chosen.index.begin(), chosen.index.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return similarity[a] > similarity[b]; });
  chosen.index.resize(settings.nearest);
  std::sort(chosen.index.begin(), chosen.index.end());
  std::int64_t whole = 0;
  for (const std::uint32_t j : chosen.index) {
    whole += static_cast<std::int64_t>(std::max(similarity[j], 0.0));
    chosen.total += static_cast<float>(similarity[j]);
  }
  for (const std::uint32_t j : chosen.index) {
    const auto share = static_cast<float>(std::max(similarity[j], 0.0)) / static_cast<float>(whole);
    chosen.weight.push_back(settings.profile == Profile::kSeed ? static_cast<float>(similarity[j])
                            : whole > 0                        ? share
                                        : 1.0F / static_cast<float>(settings.nearest));
  }
  return chosen;
}

Example Reference::whiten(const Example& x) const {
  Example u(stride);
  for (std::size_t i = 0; i < stride; ++i) u[i] = lane_dot(floats(inverse, i * stride, stride), x);
  return u;
}

float Reference::seed_argument(const Example& x, std::size_t j, std::size_t c) const {
  const float dot = lane_dot(x, row_of(j, c));
  return ((dot + static_cast<float>(counts[row(j, c)])) * settings.seed_rule.learning_rate) /
         settings.seed_rule.tau;
}

std::vector<ClassScore> Reference::predict(const Example& x) const {
  const Chosen chosen = choose(similarities(x));
  return settings.profile == Profile::kSeed ? predict_seed(x, chosen) : predict_default(x, chosen);
}

std::vector<ClassScore> Reference::predict_seed(const Example& x, const Chosen& chosen) const {
  std::vector<ClassScore> scores(settings.max_classes, kNone);
  if (!(chosen.total > 0.0F)) return scores;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (class_counts[c] < 0) continue;
    float sum = 0.0F;
    for (std::size_t r = 0; r < chosen.index.size(); ++r) {
      const float v = settings.seed_rule.tau * tanh32(seed_argument(x, chosen.index[r], c));
      sum = std::fma(chosen.weight[r], v, sum);
    }
    scores[c] = {sum / chosen.total, 1.0F};
  }
  return scores;
}

std::vector<ClassScore> Reference::predict_default(const Example& x, const Chosen& chosen) const {
  const std::size_t classes = settings.max_classes;
  const Example u = whiten(x);
  std::vector<float> mean(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    if (class_counts[c] <= 0) continue;
    mean[c] =
        lane_dot(u, floats(class_sums, c * stride, stride)) / static_cast<float>(class_counts[c]);
  }
  std::vector<float> agreement = mean;
  for (std::size_t r = 0; r < chosen.index.size(); ++r) {
    const std::size_t j = chosen.index[r];
    std::vector<float> beyond(classes);
    float shared = 0.0F;
    std::int64_t taught = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const std::int32_t n = counts[row(j, c)];
      if (n == 0 || class_counts[c] <= 0) continue;
      beyond[c] = lane_dot(u, row_of(j, c)) - static_cast<float>(n) * mean[c];
      shared += beyond[c];
      taught += n;
    }
    shared /= static_cast<float>(taught) + settings.default_rule.offset_examples;
    for (std::size_t c = 0; c < classes; ++c) {
      if (counts[row(j, c)] == 0) continue;
      const auto n = static_cast<float>(counts[row(j, c)]);
      const float correction = (beyond[c] - n * shared) / (n + settings.default_rule.lambda);
      agreement[c] = std::fma(chosen.weight[r], correction, agreement[c]);
    }
  }
  std::vector<ClassScore> scores(classes, kNone);
  for (std::size_t c = 0; c < classes; ++c) {
    if (class_counts[c] <= 0) continue;
    const float e = settled_norm(c);
    scores[c] = {scale * (agreement[c] / std::sqrt(e)), agreement[c] / e};
  }
  return scores;
}

float Reference::settled_norm(std::size_t c) const {
  const DefaultRule& rule = settings.default_rule;
  const auto n = static_cast<float>(class_counts[c]);
  const float weight = n / (n + rule.pool_examples);
  const float corrected = class_norms[c] - static_cast<float>(settings.dimensions) / n;
  const float pulled = weight * corrected + (1.0F - weight) * common_norm;
  return std::max({pulled, rule.least_norm * class_norms[c], 1e-12F});
}

void Reference::pool() {
  double corrected = 0.0;
  double plain = 0.0;
  double examples = 0.0;
  double classes = 0.0;
  for (std::size_t c = 0; c < settings.max_classes; ++c) {
    if (class_counts[c] <= 0) continue;
    corrected += static_cast<double>(class_norms[c]) * class_counts[c] - settings.dimensions;
    plain += static_cast<double>(class_norms[c]);
    examples += class_counts[c];
    classes += 1.0;
  }
  common_norm = scale = 1.0F;
  if (classes == 0.0 || !(plain > 0.0)) return;
  const double common = std::max(corrected / examples, 0.02 * (plain / classes));
  common_norm = static_cast<float>(common);
  scale = static_cast<float>(common / (plain / classes) /
                             static_cast<double>(settings.default_rule.temperature));
}

void Reference::step(std::size_t j, std::size_t c, const std::vector<int>& change, int sign,
                     int bias) {
  const std::int32_t limit = element_limit(settings.store);
  bool clipped = false;
  for (std::size_t i = 0; i < stride; ++i) {
    std::int32_t& value = rows[row(j, c) * stride + i];
    const std::int32_t sum = value + sign * change[i];
    value = std::clamp(sum, -limit, limit);
    clipped |= value != sum;
  }
  class_clipped[c] += clipped ? 1 : 0;
  counts[row(j, c)] += bias;
}

void Reference::teach(const Example& x, std::uint32_t slot, int sign, Part part) {
  const bool seed = settings.profile == Profile::kSeed;
  const Chosen chosen = choose(similarities(x));
  const bool own = part != Part::kShared;
  if (seed) {
    if (!own || !(chosen.total > 0.0F)) return;
    for (std::size_t r = 0; r < chosen.index.size(); ++r) {
      const int way = sign * sign_of(chosen.weight[r]);
      step(chosen.index[r], slot, signs(x), way, way);
    }
    class_counts[slot] += sign;
    return;
  }
  const std::vector<int> q(x.begin(), x.end());
  if (own) {
    for (const std::uint32_t j : chosen.index) step(j, slot, q, sign, sign);
    for (std::size_t i = 0; i < stride; ++i) class_sums[slot * stride + i] += sign * q[i];
    class_counts[slot] += sign;
    class_norms[slot] = norm(slot);
    pool();
  }
  if (part == Part::kClass) return;
  for (std::size_t r = 0; r < stride; ++r) {
    for (std::size_t col = 0; col < 16 * (r / 16 + 1); ++col)
      scatter[r * stride + col] += sign * q[r] * q[col];
  }
}

void Reference::teach_batch(const std::vector<Example>& xs,
                            const std::vector<std::uint32_t>& slots) {
  if (settings.profile == Profile::kDefault) {
    for (std::size_t b = 0; b < xs.size(); ++b) teach(xs[b], slots[b], 1, Part::kBoth);
    return;
  }
  const Reference old = *this;
  std::vector<Chosen> chosen;
  for (const Example& x : xs) chosen.push_back(choose(similarities(x)));
  for (std::size_t j = 0; j < settings.classifiers; ++j) {
    for (std::uint32_t c = 0; c < settings.max_classes; ++c) {
      std::vector<float> gradient(stride);
      std::vector<std::size_t> members;
      float pull = 0.0F;
      int way = 0;
      for (std::size_t b = 0; b < xs.size(); ++b) {
        if (slots[b] != c || !(chosen[b].total > 0.0F)) continue;
        const auto& index = chosen[b].index;
        const auto found = std::lower_bound(index.begin(), index.end(), j);
        if (found == index.end() || *found != j) continue;
        members.push_back(b);
        const float th = tanh32(old.seed_argument(xs[b], j, c));
        const float similarity = chosen[b].weight[static_cast<std::size_t>(found - index.begin())];
        way = sign_of(similarity);
        const float coefficient = (similarity / chosen[b].total) * (1.0F - th * th);
        pull += coefficient;
        for (std::size_t i = 0; i < stride; ++i)
          gradient[i] = std::fma(coefficient, xs[b][i], gradient[i]);
      }
      if (members.size() == 1) step(j, c, signs(xs[members[0]]), way, way);
      if (members.size() > 1) step(j, c, signs(gradient), 1, sign_of(pull));
    }
  }
  for (std::size_t b = 0; b < xs.size(); ++b)
    class_counts[slots[b]] += chosen[b].total > 0.0F ? 1 : 0;
}

float Reference::norm(std::uint32_t slot) const {
  if (class_counts[slot] <= 0) return 0.0F;
  std::vector<float> m = floats(class_sums, slot * stride, stride);
  for (float& value : m) value /= static_cast<float>(class_counts[slot]);
  return lane_dot(m, whiten(m));
}

}  // namespace jackdaw::reference
