// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/exhibits.hpp"

#include <algorithm>
#include <cmath>

#include "replay/tsne.hpp"

namespace jackdaw::replay {
namespace {

constexpr std::size_t kMapPoints = 1500;

template <class List, class Same>
bool any(const List& list, const Same& same) {
  return std::any_of(list.begin(), list.end(), same);
}

bool wants_activations(const Exhibits& exhibits, const EmbeddingSet& set,
                       const std::string& schedule) {
  const auto same = [&](const Activations& a) { return a.data == set.data; };
  return schedule == "lowdata" || !any(exhibits.activations, same);
}

void add_activations(const Experiment& experiment, const HeadChoice& choice, Exhibits& exhibits) {
  const EmbeddingSet& set = *experiment.sets[0];
  const StreamInfo info = plan_stream(experiment);
  const auto pictures = by_class(set.train.labels, set.classes.size());
  const Stream stream = experiment.schedule->draw(
      {set.classes, pictures, info.batches, info.batch_size, stream_seed(experiment.seed, 0)});
  Activations found =
      record_activations(set, stream, choice, info.batch_size, head_seed(experiment.seed, 0));
  found.schedule = info.schedule;
  auto& list = exhibits.activations;
  list.erase(std::remove_if(list.begin(), list.end(),
                            [&](const Activations& a) { return a.data == set.data; }),
             list.end());
  list.push_back(std::move(found));
}

}  // namespace

EmbeddingMap draw_map(const EmbeddingSet& set) {
  const std::size_t all = set.test.labels.size();
  const std::size_t count = std::min(all, kMapPoints);
  EmbeddingMap map;
  map.data = set.data;
  map.encoder = set.encoder;
  map.method = "t-SNE";
  std::vector<float> rows;
  rows.reserve(count * set.dimensions);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * all / count;
    const auto first =
        set.test.embeddings.begin() + static_cast<std::ptrdiff_t>(at * set.dimensions);
    rows.insert(rows.end(), first, first + set.dimensions);
    map.label.push_back(set.test.labels[at]);
  }
  const std::vector<Point> points = tsne(rows, set.dimensions);
  double most = 1e-12;
  for (const Point& p : points) most = std::max({most, std::fabs(p.x), std::fabs(p.y)});
  const auto to_grid = [&](double v) {
    return static_cast<std::uint32_t>(std::lround(500.0 + 500.0 * v / most));
  };
  for (const Point& p : points) {
    map.x.push_back(to_grid(p.x));
    map.y.push_back(to_grid(p.y));
  }
  return map;
}

void add_exhibits(const Experiment& experiment, Results& results) {
  const EmbeddingSet& set = *experiment.sets.at(0);
  Exhibits& exhibits = results.exhibits;
  const auto same_set = [&](const auto& e) {
    return e.data == set.data && e.encoder == set.encoder;
  };
  if (!any(exhibits.maps, same_set)) exhibits.maps.push_back(draw_map(set));
  const std::uint64_t seed = head_seed(experiment.seed, 0);
  for (const HeadChoice& choice : experiment.heads) {
    if (choice.name != "ensemble" || !choice.label.empty()) continue;
    const char* profile = name_of(choice.ensemble.profile);
    const auto same_keys = [&](const KeyUse& k) { return same_set(k) && k.profile == profile; };
    if (!any(exhibits.keys, same_keys)) {
      exhibits.keys.push_back(count_key_use(set, choice, seed));
    }
    if (choice.ensemble.profile == Profile::kSeed &&
        wants_activations(exhibits, set, experiment.schedule->name())) {
      add_activations(experiment, choice, exhibits);
    }
  }
}

}  // namespace jackdaw::replay
