// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "replay/report/numbers.hpp"

namespace jackdaw::replay::report {
namespace {

std::vector<double> multiples(double step, double least, double most) {
  std::vector<double> out;
  const auto first = static_cast<long long>(std::ceil(least / step - 1e-9));
  for (long long i = first; static_cast<double>(i) * step <= most + 1e-9 * step; ++i) {
    out.push_back(static_cast<double>(i) * step);
  }
  return out;
}

// Font sizes of style.cpp; bold letters are wider.
struct Font {
  const char* css_class;
  double size;
};

constexpr Font kFonts[] = {
    {"panel", 12.5 * 1.13}, {"centre", 13.0 * 1.13}, {"tick", 10.0}, {"tiny", 10.0}};

double font_size(const char* css_class) {
  for (const Font& font : kFonts) {
    if (std::strcmp(font.css_class, css_class) == 0) return font.size;
  }
  return 11.0;
}

}  // namespace

Drawing::Drawing(Html& html, double width, double height, const std::string& title,
                 const std::string& description, const std::string& css_class,
                 const std::string& scales)
    : html_(html) {
  html.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                    {"class", css_class},
                    {"role", "img"},
                    {"data-scales", scales},
                    {"viewBox", "0 0 " + coordinate(width) + " " + coordinate(height)}});
  html.element("title", title);
  html.element("desc", description);
}

Drawing::~Drawing() { html_.close(); }

std::vector<double> ticks(double least, double most, int wanted) {
  if (!(most > least) || !std::isfinite(most - least)) return {least};
  return multiples(round_up((most - least) / std::max(1, wanted)), least, most);
}

std::vector<double> whole_ticks(double least, double most, int wanted) {
  if (!(most > least) || !std::isfinite(most - least)) return {least};
  const double step = round_up((most - least) / std::max(1, wanted));
  return multiples(std::max(1.0, std::floor(step)), least, most);
}

int digits_of(const std::vector<double>& ticks) {
  int digits = 0;
  for (const double tick : ticks) {
    while (digits < 6) {
      const double scaled = tick * std::pow(10.0, digits);
      if (std::fabs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, std::fabs(scaled))) break;
      ++digits;
    }
  }
  return digits;
}

double round_up(double value) {
  if (!(value > 0.0) || !std::isfinite(value)) return 1.0;
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
    if (value <= factor * power * (1.0 + 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

void label(Html& html, double x, double y, const char* anchor, const std::string& text,
           const char* css_class) {
  html.element("text",
               {{"x", coordinate(x)},
                {"y", coordinate(y)},
                {"text-anchor", std::string(anchor) == "start" ? "" : anchor},
                {"class", css_class}},
               text);
}

void name_label(Html& html, double x, double y, const char* anchor, const std::string& name,
                double room, const char* css_class) {
  const std::string shown = shortened(name, room, font_size(css_class));
  const Inside text(html, "text",
                    {{"x", coordinate(x)},
                     {"y", coordinate(y)},
                     {"text-anchor", std::string(anchor) == "start" ? "" : anchor},
                     {"class", css_class}});
  if (shown != name) html.element("title", name);
  html.text(shown);
}

double label_width(const std::string& text, const char* css_class) {
  return text_width(text, font_size(css_class));
}

double widest_tick(const std::vector<double>& ticks, int digits) {
  double width = 0.0;
  for (const double tick : ticks) {
    width = std::max(width, label_width(fixed(tick, digits), "tick"));
  }
  return width;
}

void line(Html& html, double x1, double y1, double x2, double y2, const char* css_class) {
  html.empty("path", {{"class", css_class},
                      {"d", "M" + coordinate(x1) + " " + coordinate(y1) + "L" + coordinate(x2) +
                                " " + coordinate(y2)}});
}

}  // namespace jackdaw::replay::report
