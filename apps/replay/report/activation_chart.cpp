// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/activation_chart.hpp"

#include <algorithm>
#include <cmath>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kWidth = 250, kRight = 246, kTop = 28, kBottom = 150;
constexpr double kNameRoom = 72;  // below, for names that stand aslant

}  // namespace

std::size_t winner(const ActivationMoment& moment) {
  std::size_t best = moment.answer.size();
  for (std::size_t c = 0; c < moment.answer.size(); ++c) {
    if (std::isnan(moment.answer[c])) continue;
    if (best == moment.answer.size() || moment.answer[c] > moment.answer[best]) best = c;
  }
  return best;
}

void draw(Html& html, const ActivationChart& chart) {
  const ActivationMoment& moment = *chart.moment;
  const std::size_t classes = moment.answer.size();
  const bool many =
      classes > 10 || std::any_of(chart.names.begin(), chart.names.end(),
                                  [](const std::string& name) { return name.size() > 2; });
  const Drawing drawing(html, kWidth, kBottom + (many ? kNameRoom : 20), chart.title,
                        chart.description, "activations");
  name_label(html, 0, 14, "start", chart.title, kWidth, "panel");
  const Scale y{chart.least, chart.most, kBottom, kTop};
  const std::vector<double> values = ticks(chart.least, chart.most, 4);
  const int digits = digits_of(values);
  const double left = std::max(32.0, widest_tick(values, digits) + 5);
  for (const double tick : values) {
    line(html, left, y(tick), kRight, y(tick), "grid");
    label(html, left - 4, y(tick) + 3.5, "end", fixed(tick, digits), "tick");
  }
  const double step = (kRight - left) / static_cast<double>(std::max<std::size_t>(1, classes));
  const double zero = y(std::clamp(0.0, chart.least, chart.most));
  const std::size_t first = winner(moment);
  for (std::size_t c = 0; c < classes; ++c) {
    const double middle = left + (static_cast<double>(c) + 0.5) * step;
    const char* css = c == chart.truth ? "truth" : c == first ? "wrong" : "rest";
    const Inside group(html, "g", {{"class", css}});
    const std::string name = c < chart.names.size() ? chart.names[c] : std::to_string(c);
    if (many) {
      // Down to the lower edge, and to the left one.
      const double name_room = std::min((kNameRoom - 10) / 0.87, 2 * (middle - 6));
      html.element("text",
                   {{"class", "tiny"},
                    {"text-anchor", "end"},
                    {"transform", "translate(" + coordinate(middle + 3) + " " +
                                      coordinate(kBottom + 8) + ") rotate(-60)"}},
                   shortened(name, name_room, 11.3));  // wide enough for bold
    } else {
      label(html, middle, kBottom + 14, "middle", name, "tick");
    }
    if (std::isnan(moment.answer[c])) {
      html.element("title", name + ": not taught yet");
      continue;
    }
    html.element("title", name + ": " + fixed(moment.answer[c], 3));
    const double top = y(moment.answer[c]);
    html.empty("rect", {{"class", "bar"},
                        {"x", coordinate(middle - 0.36 * step)},
                        {"y", coordinate(std::min(top, zero))},
                        {"width", coordinate(0.72 * step)},
                        {"height", coordinate(std::max(0.8, std::fabs(zero - top)))}});
    std::string path;
    const std::string back = "h" + coordinate(0.5 * step);
    for (const std::vector<double>& of_classifier : moment.values) {
      if (c >= of_classifier.size() || std::isnan(of_classifier[c])) continue;
      path += "M" + coordinate(middle - 0.25 * step) + " " + coordinate(y(of_classifier[c])) + back;
    }
    if (!path.empty()) html.empty("path", {{"class", "each"}, {"d", path}});
  }
}

}  // namespace jackdaw::replay::report
