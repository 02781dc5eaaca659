// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/svg.hpp"

#include <algorithm>
#include <cmath>

#include "replay/report/numbers.hpp"

namespace jackdaw::replay::report {

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
  const double raw = (most - least) / std::max(1, wanted);
  const double step = round_up(raw);
  std::vector<double> out;
  const auto first = static_cast<long long>(std::ceil(least / step - 1e-9));
  for (long long i = first; static_cast<double>(i) * step <= most + 1e-9 * step; ++i) {
    out.push_back(static_cast<double>(i) * step);
  }
  return out;
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

void line(Html& html, double x1, double y1, double x2, double y2, const char* css_class) {
  html.empty("path", {{"class", css_class},
                      {"d", "M" + coordinate(x1) + " " + coordinate(y1) + "L" + coordinate(x2) +
                                " " + coordinate(y2)}});
}

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t characters = 0;
  std::size_t cut = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
    if (++characters == most) cut = i;
  }
  return characters > most ? text.substr(0, cut) + "…" : text;
}

}  // namespace jackdaw::replay::report
