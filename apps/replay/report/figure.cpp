// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <set>

#include "replay/report/names.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {

Figure::Figure(Html& html, const std::string& heading, std::string caption, const char* grid)
    : html_(html), caption_(std::move(caption)), grid_(grid) {
  html_.open("figure");
  if (!heading.empty()) html_.element("h3", heading);
}

void Figure::begin_panels() {
  if (!panels_) html_.open("div", {{"class", grid_}});
  panels_ = true;
}

Figure::~Figure() {
  if (panels_) html_.close();
  if (!caption_.empty()) html_.element("figcaption", caption_);
  html_.close();
}

void add_legend(Html& html, const std::vector<const Row*>& rows) {
  const Inside list(html, "div", {{"class", "legend"}});
  std::set<std::string> known;
  for (const Row* row : rows) {
    const std::string css = series_class(*row);
    if (!known.insert(css).second) continue;
    const Inside button(html, "button",
                        {{"type", "button"}, {"data-series", css}, {"aria-pressed", "true"}});
    html.element("span", {{"class", "swatch " + css}}, "");
    Row plain = Row{};
    plain.head = row->head;
    plain.profile = row->profile;
    html.text(short_model(plain));
  }
}

void begin_table(Html& html, const std::string& caption, const char* css_class) {
  html.open("div",
            {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", caption}});
  html.open("table", {{"class", css_class}});
  const Inside holder(html, "caption");
  html.element("span", caption);
}

void end_table(Html& html) {
  html.close();
  html.close();
}

void head_row(Html& html, const std::vector<std::string>& names) {
  const Inside head(html, "thead");
  const Inside row(html, "tr");
  for (const std::string& name : names) {
    const bool number = !name.empty() && name[0] == '>';
    html.element("th", {{"scope", "col"}, {"class", number ? "n" : ""}},
                 name.substr(number ? 1 : 0));
  }
}

void cell(Html& html, const std::string& text, const char* css_class) {
  html.element("td", {{"class", css_class}}, text);
}

}  // namespace jackdaw::replay::report
