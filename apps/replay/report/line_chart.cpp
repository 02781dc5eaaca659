// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/line_chart.hpp"

#include <algorithm>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kWidth = 340, kHeight = 200, kRight = 320, kTop = 26, kBottom = 172;

std::vector<double> y_ticks(const LineChart& chart) {
  return ticks(chart.y_least, chart.y_most, 4);
}

class Panel {
 public:
  Panel(Html& html, const LineChart& chart, double left)
      : html_(html),
        chart_(chart),
        left_(left),
        x_{0.0, chart.x_most, left, kRight},
        y_{chart.y_least, chart.y_most, kBottom, kTop} {}

  void draw() {
    for (const auto& [from, to] : chart_.shaded) {
      html_.empty("rect", {{"class", "taught"},
                           {"x", coordinate(x_(from))},
                           {"y", coordinate(kTop)},
                           {"width", coordinate(x_(to) - x_(from))},
                           {"height", coordinate(kBottom - kTop)}});
    }
    axes();
    for (const LineSeries& series : chart_.series) band(series);
    for (const LineSeries& series : chart_.series) mean(series);
  }

 private:
  void axes() {
    const std::vector<double> values = y_ticks(chart_);
    const int digits = digits_of(values);
    for (const double tick : values) {
      line(html_, left_, y_(tick), kRight, y_(tick), "grid");
      label(html_, left_ - 5, y_(tick) + 3.5, "end", fixed(tick, digits), "tick");
    }
    for (const double tick : whole_ticks(0.0, chart_.x_most, 4)) {
      label(html_, x_(tick), kBottom + 15, "middle", fixed(tick, 0), "tick");
    }
    name_label(html_, 0, 14, "start", chart_.title, kWidth, "panel");
  }

  std::size_t points(const LineSeries& series) const {
    return std::min(chart_.x.size(), series.mean->size());
  }
  double inside(double value) const { return y_(std::clamp(value, chart_.y_least, chart_.y_most)); }
  std::string at(std::size_t i, double value) const {
    return coordinate(x_(chart_.x[i])) + " " + coordinate(inside(value));
  }

  void band(const LineSeries& series) {
    if (series.deviation == nullptr) return;
    const std::size_t count = std::min(points(series), series.deviation->size());
    if (count < 2) return;
    const auto& mean = *series.mean;
    const auto& deviation = *series.deviation;
    if (std::all_of(deviation.begin(), deviation.end(), [](double d) { return d == 0.0; })) return;
    std::string path = "M";
    for (std::size_t i = 0; i < count; ++i) path += at(i, mean[i] + deviation[i]) + " ";
    for (std::size_t i = count; i-- > 0;) path += at(i, mean[i] - deviation[i]) + " ";
    path.back() = 'z';
    html_.empty("path", {{"class", "band " + series.css_class}, {"d", path}});
  }

  void mean(const LineSeries& series) {
    const std::size_t count = points(series);
    if (count == 0) return;
    std::string path = "M";
    for (std::size_t i = 0; i < count; ++i) path += at(i, (*series.mean)[i]) + " ";
    path.pop_back();
    html_.empty("path", {{"class", "line " + series.css_class},
                         {"data-name", series.name},
                         {"d", count > 1 ? path : path + "h0"}});
  }

  Html& html_;
  const LineChart& chart_;
  double left_;
  Scale x_, y_;
};

}  // namespace

void draw(Html& html, const LineChart& chart) {
  const std::vector<double> values = y_ticks(chart);
  const double left = std::max(34.0, widest_tick(values, digits_of(values)) + 6);
  // What the script needs to tell values from pixels: most x, left, right, least y, bottom, most y,
  // top.
  const std::string scales = fixed(chart.x_most, 0) + " " + coordinate(left) + " " +
                             coordinate(kRight) + " " + coordinate(chart.y_least) + " " +
                             coordinate(kBottom) + " " + coordinate(chart.y_most) + " " +
                             coordinate(kTop);
  const Drawing drawing(html, kWidth, kHeight, chart.title, chart.description, "lines", scales);
  Panel(html, chart, left).draw();
}

}  // namespace jackdaw::replay::report
