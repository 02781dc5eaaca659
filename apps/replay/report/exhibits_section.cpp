// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What is shown and not measured: activations, keys, maps.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "replay/report/activation_chart.hpp"
#include "replay/report/heat_map.hpp"
#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/scatter.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

// One axis for all moments of a picture, with zero on it.
void find_axis(const SamplePicture& picture, double& least, double& most) {
  least = 0.0;
  most = 0.0;
  for (const ActivationMoment& moment : picture.moments) {
    for (const auto& values : moment.values) {
      for (const double value : values) {
        if (std::isnan(value)) continue;
        least = std::min(least, value);
        most = std::max(most, value);
      }
    }
  }
  if (most == least) most = least + 1.0;
}

// Only what is base64 in truth: the text comes from a file.
void add_thumbnail(Html& html, const std::string& text, const std::string& what) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '/' || c == '=';
  });
  if (text.empty() || !plain) return;
  html.empty("img",
             {{"class", "thumbnail"}, {"alt", what}, {"src", "data:image/png;base64," + text}});
}

void add_picture(Html& html, const Results& results, const Activations& a,
                 const SamplePicture& picture, char letter) {
  const std::string label = class_name(results, a.data, picture.label);
  ActivationChart chart;
  for (std::size_t i = 0; i < a.classes.size(); ++i) {
    chart.names.push_back(class_name(results, a.data, a.classes[i]));
    if (a.classes[i] == picture.label) chart.truth = i;
  }
  find_axis(picture, chart.least, chart.most);
  const Inside row(html, "div", {{"class", "sample"}});
  add_thumbnail(html, picture.thumbnail, "A picture of the class " + label);
  html.element("h4", std::string("(") + letter + ") test picture " + whole(picture.picture) +
                         ", class " + label + ", taught in task " + whole(picture.task + 1));
  const Inside grid(html, "div", {{"class", "grid four"}});
  for (const ActivationMoment& moment : picture.moments) {
    const std::size_t first = winner(moment);
    chart.title = "after " + whole(moment.batch) + " batches";
    chart.description = first < chart.names.size()
                            ? "The largest activation is that of class " + chart.names[first] +
                                  "; the truth is " + label + "."
                            : "Nothing was taught yet.";
    chart.moment = &moment;
    draw(html, chart);
  }
}

std::string title_of(const std::string& data, const std::string& encoder) {
  return data_name(data) + ", " + encoder;
}

std::vector<std::string> all_classes(const Results& results, const std::string& data,
                                     std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < count; ++c) names.push_back(class_name(results, data, c));
  return names;
}

// Then none were recorded: a classifier of profile default gives no answer of its own.
bool lacks_profile_seed(const Results& results) {
  const auto has = [&](const std::string& profile) {
    return std::any_of(results.rows.begin(), results.rows.end(), [&](const Row& row) {
      return row.head == "ensemble" && row.profile == profile;
    });
  };
  return has("default") && !has("seed");
}

}  // namespace

bool has_activations(const Results& results) {
  return !results.exhibits.activations.empty() || lacks_profile_seed(results);
}

void add_activations(Html& html, const Results& results) {
  if (results.exhibits.activations.empty()) {
    const Inside note(html, "p", {{"class", "note"}});
    html.text(
        "The values of single classifiers are drawn for profile seed, which was not run (in "
        "profile default they only add to what the class means say); ");
    html.element("code", "--profile seed,default");
    html.text(" runs both.");
    return;
  }
  html.element(
      "p", {{"class", "note"}},
      "Final-layer activations of run 0 for two test pictures at some moments of the "
      "stream, one of a class that is taught first and one of a class that is taught last. "
      "Each thin line is one of the classifiers whose keys are nearest, the bar their "
      "weighted mean, which is the answer. Magenta is the true class; red is the largest "
      "mean where that is another class. Classes without a bar had not been taught yet.");
  for (const Activations& a : results.exhibits.activations) {
    const std::size_t k = a.pictures.empty() ? 0 : a.pictures[0].classifiers.size();
    const DataInfo* data = find_data(results, a.data);
    const bool some = data != nullptr && data->classes.size() > a.classes.size();
    const Figure figure(
        html, data_name(a.data) + ", " + schedule_name(a.schedule) + ", profile " + a.profile,
        a.encoder + ", " + whole(k) + " classifiers answer." +
            (some ? " The " + whole(a.classes.size()) + " classes that score highest at the end."
                  : ""));
    char letter = 'A';
    for (const SamplePicture& picture : a.pictures) {
      add_picture(html, results, a, picture, letter++);
    }
  }
}

bool has_keys(const Results& results) { return !results.exhibits.keys.empty(); }

void add_keys(Html& html, const Results& results) {
  Figure figure(
      html, "",
      "How often each classifier is among the nearest for test pictures of a class. "
      "Classifiers are sorted by the class they answer for most, the busiest first; a "
      "column holds several, darker means a larger share of the class's answers (square "
      "root scale). A diagonal of dark blocks: classes have classifiers of their own. Even "
      "rows: they share them.",
      "grid two");
  figure.begin_panels();
  for (const KeyUse& use : results.exhibits.keys) {
    HeatMap map;
    map.title = title_of(use.data, use.encoder) + ", profile " + use.profile;
    map.description =
        whole(use.nearest) + " of " + whole(use.classifiers) + " classifiers answer for a picture.";
    map.x_label = whole(use.classifiers) + " classifiers, " +
                  (use.in_column > 1 ? whole(use.in_column) + " in a column, " : "") +
                  whole(use.unused) + " never among the " + whole(use.nearest) + " nearest";
    map.names = all_classes(results, use.data, use.share.size());
    map.values = use.share;
    map.most = 1e-9;
    for (const auto& row : use.share) {
      for (const double value : row) map.most = std::max(map.most, value);
    }
    draw(html, map);
  }
}

bool has_maps(const Results& results) { return !results.exhibits.maps.empty(); }

void add_maps(Html& html, const Results& results) {
  bool many = false;
  std::vector<std::string> methods;
  for (const EmbeddingMap& map : results.exhibits.maps) {
    const DataInfo* data = find_data(results, map.data);
    many = many || (data != nullptr && data->classes.size() > kClassColours);
    const bool known = std::find(methods.begin(), methods.end(), map.method) != methods.end();
    if (!known && !map.method.empty()) methods.push_back(map.method);
  }
  const std::string by_methods = methods.empty() ? "" : ", drawn by " + listed(methods);
  Figure figure(html, "",
                "Test pictures as the encoder sees them, before anything was taught" + by_methods +
                    "; near each other means alike. " +
                    (many ? "Of many classes ten are coloured; point at another to bring it out."
                          : "Point at a class to bring it out."),
                "grid two");
  figure.begin_panels();
  for (const EmbeddingMap& map : results.exhibits.maps) {
    Scatter scatter;
    scatter.title = title_of(map.data, map.encoder) + (methods.size() > 1 ? ", " + map.method : "");
    scatter.description = map.method + " of " + whole(map.x.size()) + " test embeddings.";
    scatter.map = &map;
    const DataInfo* data = find_data(results, map.data);
    if (data != nullptr) scatter.names = data->classes;
    draw(html, scatter);
  }
}

}  // namespace jackdaw::replay::report
