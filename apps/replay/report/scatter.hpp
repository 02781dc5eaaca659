// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Points on a plane, a colour a class. Of more classes than there are colours some are coloured and
// the others grey; pointing at one brings it out.

#include <string>
#include <vector>

#include "replay/report/html.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay::report {

inline constexpr std::size_t kClassColours = 10;

struct Scatter {
  std::string title, description;
  const EmbeddingMap* map = nullptr;
  std::vector<std::string> names;  // [class]
};

void draw(Html& html, const Scatter& scatter);

}  // namespace jackdaw::replay::report
