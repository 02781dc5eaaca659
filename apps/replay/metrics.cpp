// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/metrics.hpp"

#include <algorithm>
#include <cmath>

namespace jackdaw::replay {

Verdict verdict_of(Span<const ClassScore> scores, Confidence rule, float scale) {
  Verdict verdict;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (!std::isfinite(scores[c].score)) continue;
    if (verdict.label == Verdict::kNone || scores[c].score > scores[verdict.label].score) {
      verdict.label = static_cast<std::uint32_t>(c);
    }
  }
  if (verdict.label == Verdict::kNone) return verdict;
  const float best = scores[verdict.label].score;
  double sum = 0.0;
  for (const ClassScore& s : scores) {
    if (!std::isfinite(s.score)) continue;
    sum += rule == Confidence::kShare ? static_cast<double>(s.score)
                                      : std::exp(static_cast<double>(scale * (s.score - best)));
  }
  const double own = rule == Confidence::kShare ? static_cast<double>(best) : 1.0;
  verdict.confidence = sum > 0.0 ? static_cast<float>(own / sum) : 0.0F;
  verdict.unknown = scores[verdict.label].typicality;
  return verdict;
}

std::vector<double> class_accuracies(const std::vector<Verdict>& verdicts,
                                     const std::vector<std::uint32_t>& labels,
                                     std::size_t classes) {
  std::vector<double> right(classes, 0.0), asked(classes, 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    asked[labels[i]] += 1.0;
    if (verdicts[i].label == labels[i]) right[labels[i]] += 1.0;
  }
  for (std::size_t c = 0; c < classes; ++c) {
    right[c] = asked[c] > 0.0 ? 100.0 * right[c] / asked[c] : 0.0;
  }
  return right;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

std::vector<double> class_forgetting(const std::vector<std::vector<double>>& accuracies) {
  if (accuracies.empty()) return {};
  std::vector<double> most = accuracies.back();
  for (const std::vector<double>& at : accuracies) {
    for (std::size_t c = 0; c < most.size(); ++c) most[c] = std::max(most[c], at[c]);
  }
  for (std::size_t c = 0; c < most.size(); ++c) most[c] -= accuracies.back()[c];
  return most;
}

double forgetting(const std::vector<std::vector<double>>& accuracies) {
  return mean_of(class_forgetting(accuracies));
}

double auroc(std::vector<float> higher, std::vector<float> lower) {
  if (higher.empty() || lower.empty()) return 0.5;
  std::sort(higher.begin(), higher.end());
  std::sort(lower.begin(), lower.end());
  double pairs = 0.0;
  std::size_t below = 0, not_above = 0;
  for (const float value : higher) {
    while (below < lower.size() && lower[below] < value) ++below;
    while (not_above < lower.size() && lower[not_above] <= value) ++not_above;
    pairs += 0.5 * static_cast<double>(below + not_above);
  }
  return pairs / (static_cast<double>(higher.size()) * static_cast<double>(lower.size()));
}

double calibration_error(const std::vector<Verdict>& verdicts,
                         const std::vector<std::uint32_t>& labels) {
  constexpr std::size_t kBins = 15;
  std::vector<double> gap(kBins, 0.0);  // sum of confidence - right
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const auto confidence = static_cast<double>(verdicts[i].confidence);
    const auto bin = std::min(kBins - 1, static_cast<std::size_t>(confidence * kBins));
    gap[bin] += confidence - (verdicts[i].label == labels[i] ? 1.0 : 0.0);
  }
  double sum = 0.0;
  for (const double value : gap) sum += std::fabs(value);
  return verdicts.empty() ? 0.0 : 100.0 * sum / static_cast<double>(verdicts.size());
}

}  // namespace jackdaw::replay
