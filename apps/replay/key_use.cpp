// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Which classifiers answer for the test pictures of each class. Keys never change, so nothing has
// to be taught for it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "jackdaw/ensemble.hpp"
#include "jackdaw/error.hpp"
#include "replay/exhibits.hpp"

namespace jackdaw::replay {
namespace {

using Counts = std::vector<std::vector<std::uint32_t>>;  // [class][classifier]

constexpr std::size_t kMostColumns = 128;

Counts count(const EmbeddingSet& set, const EnsembleSettings& settings) {
  const auto ensemble = make_ensemble(settings, Device::kCpu);
  std::vector<std::byte> example(ensemble->example_bytes());
  std::vector<std::uint32_t> chosen(settings.nearest);
  Counts counts(set.classes.size(), std::vector<std::uint32_t>(settings.classifiers, 0));
  const Span<const float> embeddings(set.test.embeddings);
  for (std::size_t i = 0; i < set.test.labels.size(); ++i) {
    Status s = ensemble->admit(embeddings.subspan(i * set.dimensions, set.dimensions), example);
    if (s == Status::kOk) s = ensemble->nearest(0, example, chosen);
    if (s != Status::kOk) throw Error(set.data + ": " + describe(s));
    for (const std::uint32_t j : chosen) ++counts[set.test.labels[i]][j];
  }
  return counts;
}

// Classifiers of one class next to each other, the busiest first.
std::vector<std::uint32_t> sorted_by_class(const Counts& counts, std::size_t classifiers) {
  std::vector<std::size_t> best(classifiers, 0);
  for (std::size_t c = 1; c < counts.size(); ++c) {
    for (std::size_t j = 0; j < classifiers; ++j) {
      if (counts[c][j] > counts[best[j]][j]) best[j] = c;
    }
  }
  std::vector<std::uint32_t> order(classifiers);
  std::iota(order.begin(), order.end(), 0U);
  const auto used = [&](std::uint32_t j) { return counts[best[j]][j] > 0; };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (used(a) != used(b)) return used(a);
    if (best[a] != best[b]) return best[a] < best[b];
    const std::uint32_t of_a = counts[best[a]][a], of_b = counts[best[b]][b];
    return of_a != of_b ? of_a > of_b : a < b;
  });
  return order;
}

}  // namespace

KeyUse count_key_use(const EmbeddingSet& set, const HeadChoice& choice, std::uint64_t seed) {
  const auto classes = static_cast<std::uint32_t>(set.classes.size());
  EnsembleSettings settings = row_settings(choice, set.dimensions, classes, 1).ensemble;
  settings.seed = seed;
  settings.max_classes = 1;  // only the keys are needed
  const Counts counts = count(set, settings);
  const std::vector<std::uint32_t> order = sorted_by_class(counts, settings.classifiers);

  KeyUse use;
  use.data = set.data;
  use.encoder = set.encoder;
  use.profile = name_of(settings.profile);
  use.classifiers = settings.classifiers;
  use.nearest = settings.nearest;
  use.in_column =
      static_cast<std::uint32_t>((settings.classifiers + kMostColumns - 1) / kMostColumns);
  const std::size_t columns = (settings.classifiers + use.in_column - 1) / use.in_column;
  std::vector<bool> used(settings.classifiers, false);
  for (const std::vector<std::uint32_t>& of_class : counts) {
    const double all = std::accumulate(of_class.begin(), of_class.end(), 0.0);
    std::vector<double>& share = use.share.emplace_back(columns, 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t times = of_class[order[i]];
      if (times > 0) used[order[i]] = true;
      if (all > 0.0) share[i / use.in_column] += 100.0 * times / all;
    }
    for (double& value : share) value = std::round(value * 1000.0) / 1000.0;
  }
  use.unused = static_cast<std::uint32_t>(std::count(used.begin(), used.end(), false));
  return use;
}

}  // namespace jackdaw::replay
