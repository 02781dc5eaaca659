// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/bar_chart.hpp"

#include <algorithm>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kWidth = 340, kLeft = 112, kRight = 264, kTop = 28, kStep = 21;

void draw_bar(Html& html, const BarChart& chart, const Scale& x, const Bar& bar, double y) {
  const Inside group(html, "g", {{"class", bar.css_class}});
  html.element("title", bar.name + ": " + bar.shown);
  name_label(html, kLeft - 7, y + 4, "end", bar.name, kLeft - 8, "name");
  const auto inside = [&](double value) { return x(std::clamp(value, chart.least, chart.most)); };
  const double end = inside(bar.mean);
  if (!chart.dots) {
    html.empty("rect", {{"class", "bar"},
                        {"x", coordinate(kLeft)},
                        {"y", coordinate(y - 6.5)},
                        {"width", coordinate(std::max(0.5, end - kLeft))},
                        {"height", "13"},
                        {"rx", "1.5"}});
  }
  if (bar.deviation > 0.0) {
    line(html, inside(bar.mean - bar.deviation), y, inside(bar.mean + bar.deviation), y,
         chart.dots ? "whisker" : "whisker on");
  }
  if (chart.dots) {
    html.empty("circle",
               {{"class", "dot"}, {"cx", coordinate(end)}, {"cy", coordinate(y)}, {"r", "4.2"}});
  }
  label(html, kWidth - 2, y + 4, "end", bar.shown, "value");
}

}  // namespace

void draw(Html& html, const BarChart& chart) {
  const double rows = static_cast<double>(chart.bars.size() + chart.published.size());
  const double bottom = kTop + rows * kStep;
  const Drawing drawing(html, kWidth, bottom + 20, chart.title, chart.description, "bars");
  name_label(html, 0, 14, "start", chart.title, kWidth, "panel");
  const Scale x{chart.least, chart.most, kLeft, kRight};
  const std::vector<double> values = ticks(chart.least, chart.most, 4);
  for (const double tick : values) {
    line(html, x(tick), kTop - 4, x(tick), bottom, "grid");
    label(html, x(tick), bottom + 13, "middle", fixed(tick, digits_of(values)), "tick");
  }
  double y = kTop + kStep / 2;
  for (const Bar& bar : chart.bars) {
    draw_bar(html, chart, x, bar, y);
    y += kStep;
  }
  for (const Mark& mark : chart.published) {
    const Inside group(html, "g", {{"class", "published"}});
    const std::string shown = fixed(mark.value, 1);
    html.element("title", mark.name + ", published: " + shown);
    name_label(html, kLeft - 7, y + 4, "end", mark.name, kLeft - 8, "name");
    const double at = x(std::clamp(mark.value, chart.least, chart.most));
    html.empty("path", {{"class", "diamond"},
                        {"d", "M" + coordinate(at) + " " + coordinate(y - 5.5) +
                                  "l5.5 5.5l-5.5 5.5l-5.5-5.5z"}});
    label(html, kWidth - 2, y + 4, "end", shown, "value");
    y += kStep;
  }
}

}  // namespace jackdaw::replay::report
