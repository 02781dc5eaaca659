// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/embedding_set.hpp"

#include <algorithm>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {
namespace {

EmbeddingSplit first_of(const EmbeddingSplit& split, std::size_t from, std::size_t to) {
  EmbeddingSplit out;
  out.labels = split.labels;
  out.embeddings.resize(split.labels.size() * to);
  for (std::size_t i = 0; i < split.labels.size(); ++i) {
    std::copy_n(split.embeddings.data() + i * from, to, out.embeddings.data() + i * to);
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> by_class(const std::vector<std::uint32_t>& labels,
                                                 std::size_t classes) {
  std::vector<std::vector<std::uint32_t>> out(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out[labels[i]].push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

EmbeddingSet first_dimensions(const EmbeddingSet& set, std::uint32_t dimensions) {
  if (dimensions == 0 || dimensions > set.dimensions) {
    throw SettingsError("--dim is " + std::to_string(dimensions) + ", but " + set.encoder +
                        " gives " + std::to_string(set.dimensions) + " numbers; give 1 to that");
  }
  EmbeddingSet out;
  out.data = set.data;
  out.encoder = set.encoder;
  out.dimensions = dimensions;
  out.classes = set.classes;
  out.train = first_of(set.train, set.dimensions, dimensions);
  out.test = first_of(set.test, set.dimensions, dimensions);
  return out;
}

}  // namespace jackdaw::replay
