// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/scatter.hpp"

#include <algorithm>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kSize = 540, kTop = 24;
constexpr double kNameRoom = 130;
constexpr std::size_t kMostClasses = 100000;  // a file could name any label

double median(std::vector<std::uint32_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(*middle);
}

struct Cloud {
  std::vector<std::uint32_t> x, y;
};

}  // namespace

void draw(Html& html, const Scatter& scatter) {
  const EmbeddingMap& map = *scatter.map;
  const std::size_t points = std::min({map.x.size(), map.y.size(), map.label.size()});
  std::size_t classes = scatter.names.size();
  if (classes == 0) {
    for (std::size_t i = 0; i < points; ++i) {
      classes = std::max<std::size_t>(classes, map.label[i] + std::size_t{1});
    }
    classes = std::min(classes, kMostClasses);
  }
  std::vector<Cloud> clouds(classes);
  for (std::size_t i = 0; i < points; ++i) {
    if (map.label[i] >= classes) continue;
    clouds[map.label[i]].x.push_back(std::min(1000U, map.x[i]));
    clouds[map.label[i]].y.push_back(std::min(1000U, map.y[i]));
  }
  const Scale x{0, 1000, 8, kSize - 8}, y{0, 1000, kTop + kSize - 8, kTop + 8};
  const Drawing drawing(html, kSize, kTop + kSize, scatter.title, scatter.description, "scatter");
  name_label(html, 0, 14, "start", scatter.title, kSize, "panel");
  const bool many = classes > kClassColours;
  const std::size_t every = many ? classes / kClassColours : 1;
  const auto colour_of = [&](std::size_t c) {
    return c % every == 0 && c / every < kClassColours ? "k" + std::to_string(c / every) : "grey";
  };
  // Grey ones first, so that they lie below.
  for (const bool grey : {true, false}) {
    for (std::size_t c = 0; c < classes; ++c) {
      const std::string colour = colour_of(c);
      if (clouds[c].x.empty() || (colour == "grey") != grey) continue;
      std::string path;
      for (std::size_t i = 0; i < clouds[c].x.size(); ++i) {
        path += "M" + coordinate(x(clouds[c].x[i])) + " " + coordinate(y(clouds[c].y[i])) + "h0";
      }
      html.open("path", {{"class", "points " + colour}, {"d", path}});
      html.element("title", c < scatter.names.size() ? scatter.names[c] : std::to_string(c));
      html.close();
    }
  }
  for (std::size_t c = 0; c < classes; ++c) {
    if (clouds[c].x.empty() || colour_of(c) == "grey") continue;
    const std::string name = c < scatter.names.size() ? scatter.names[c] : std::to_string(c);
    const double half = std::min(kNameRoom, label_width(name, "centre")) / 2 + 2;  // and its rim
    name_label(html, std::clamp(x(median(clouds[c].x)), half, kSize - half),
               std::clamp(y(median(clouds[c].y)) + 4, kTop + 14, kTop + kSize - 6), "middle", name,
               kNameRoom, "centre");
  }
}

}  // namespace jackdaw::replay::report
