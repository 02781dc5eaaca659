// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kWidth = 560, kLeft = 100, kRight = 556, kTop = 26;
constexpr std::size_t kLevels = 9;
constexpr std::size_t kMostNames = 34;

// The square root of the share: rare ones are to be seen, too.
std::size_t level_of(double value, double most) {
  if (!(value > 0.0)) return 0;
  const double share = std::sqrt(std::min(1.0, value / most));
  return static_cast<std::size_t>(std::lround(share * static_cast<double>(kLevels)));
}

// Cells of one row and level, neighbours as one, in units of cells.
std::string cells(const std::vector<double>& values, double most, std::size_t level) {
  std::string path;
  for (std::size_t i = 0; i < values.size();) {
    std::size_t end = i;
    while (end < values.size() && level_of(values[end], most) == level) ++end;
    if (end > i) {
      const std::string width = std::to_string(end - i);
      path += "M" + std::to_string(i) + " 0h" + width + "v1h-" + width + "z";
    }
    i = std::max(i + 1, end);
  }
  return path;
}

}  // namespace

void draw(Html& html, const HeatMap& map) {
  const std::size_t rows = map.values.size();
  std::size_t columns = 1;
  for (const auto& row : map.values) columns = std::max(columns, row.size());
  const double height = rows <= 12 ? 17.0 : rows <= 34 ? 11.0 : 5.0;
  const double width = (kRight - kLeft) / static_cast<double>(columns);
  const double bottom = kTop + height * static_cast<double>(rows);
  const Drawing drawing(html, kWidth, bottom + 20, map.title, map.description, "heat");
  name_label(html, 0, 14, "start", map.title, kWidth, "panel");
  html.empty("rect", {{"class", "ground"},
                      {"x", coordinate(kLeft)},
                      {"y", coordinate(kTop)},
                      {"width", coordinate(kRight - kLeft)},
                      {"height", coordinate(bottom - kTop)}});
  const std::size_t every = rows == 0 ? 1 : (rows + kMostNames - 1) / kMostNames;
  for (std::size_t r = 0; r < rows; ++r) {
    const double y = kTop + height * static_cast<double>(r);
    const std::string name = r < map.names.size() ? map.names[r] : std::to_string(r);
    if (r % every == 0) {
      name_label(html, kLeft - 6, y + height / 2 + (rows > 12 ? 3 : 4), "end", name, kLeft - 7,
                 rows > 12 ? "tiny" : "name");
    }
    char place[96];
    std::snprintf(place, sizeof(place), "translate(%g %g) scale(%.4f %g)", kLeft, y, width, height);
    const Inside group(html, "g", {{"transform", place}});
    html.element("title", name);
    for (std::size_t level = 1; level <= kLevels; ++level) {
      const std::string path = cells(map.values[r], map.most, level);
      if (!path.empty()) html.empty("path", {{"class", "h" + std::to_string(level)}, {"d", path}});
    }
  }
  label(html, (kLeft + kRight) / 2, bottom + 14, "middle", map.x_label, "tick");
}

}  // namespace jackdaw::replay::report
