// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Points of many dimensions on a plane, neighbours near each other: t-SNE (van der Maaten & Hinton
// 2008), exact, for some 1500 points. It starts from the two main components, so it draws nothing
// at random: the same points give the same map.

#include <cstddef>
#include <vector>

namespace jackdaw::replay {

struct Point {
  double x = 0.0, y = 0.0;
};

struct TsneOptions {
  double perplexity = 30.0;  // how many neighbours count, less where there are few points
  int steps = 500;
};

// rows: [point][dimensions]
std::vector<Point> tsne(const std::vector<float>& rows, std::size_t dimensions,
                        const TsneOptions& options = {});

// The two directions of the largest variance, centred.
std::vector<Point> main_components(const std::vector<float>& rows, std::size_t dimensions);

}  // namespace jackdaw::replay
