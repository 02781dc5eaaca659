// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/page.hpp"

#include "files/whole_file.hpp"
#include "replay/report/html.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

struct Section {
  const char *id, *title;
  bool (*has)(const Results&);
  void (*add)(Html&, const Results&);
};

bool always(const Results& /*results*/) { return true; }

constexpr Section kSections[] = {
    {"accuracy", "Accuracy", has_rows, add_accuracy},
    {"conditions", "What each number was made with", has_main_rows, add_conditions},
    {"curves", "Over the stream", has_curves, add_curves},
    {"forgetting", "Forgetting", has_forgetting, add_forgetting},
    {"classes", "Class by class", has_classes, add_classes},
    {"schedules", "The streams", has_schedules, add_schedules},
    {"activations", "What the classifiers say", has_activations, add_activations},
    {"keys", "Which keys answer for which class", has_keys, add_keys},
    {"maps", "The embeddings", has_maps, add_maps},
    {"tables", "More tables", has_other_tables, add_other_tables},
    {"measures", "Every measure", has_rows, add_all_measures},
    {"settings", "How to repeat it", always, add_settings},
};

}  // namespace

std::string html_page(const Results& results) {
  Html html;
  html.raw("<!DOCTYPE html>\n");
  html.open("html", {{"xmlns", "http://www.w3.org/1999/xhtml"}, {"lang", "en"}});
  {
    const Inside head(html, "head");
    html.empty("meta", {{"charset", "utf-8"}});
    html.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
    html.empty("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
    html.empty("meta", {{"name", "generator"}, {"content", "jackdaw " + results.versions.jackdaw}});
    html.element("title", "Jackdaw replay report");
    const Inside style(html, "style");
    html.raw(kStyle);
  }
  html.open("body");
  add_summary(html, results);
  {
    const Inside nav(html, "nav", {{"aria-label", "Contents"}});
    for (const Section& section : kSections) {
      if (!section.has(results)) continue;
      html.element("a", {{"href", std::string("#") + section.id}}, section.title);
      html.raw(" ");
    }
  }
  {
    const Inside main(html, "main");
    for (const Section& section : kSections) {
      if (!section.has(results)) continue;
      const Inside part(html, "section", {{"id", section.id}});
      html.element("h2", section.title);
      section.add(html, results);
    }
  }
  html.element("footer", "Made by jackdaw " + results.versions.jackdaw +
                             " from its results. Figures marked as published are those of their "
                             "authors.");
  {
    const Inside script(html, "script");
    html.raw(kScript);
  }
  return html.take();
}

void write_page(const Results& results, const std::string& path) {
  write_whole_file(path, html_page(results));
}

}  // namespace jackdaw::replay::report
