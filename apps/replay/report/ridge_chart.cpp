// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/ridge_chart.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "replay/report/numbers.hpp"
#include "replay/report/svg.hpp"

namespace jackdaw::replay::report {
namespace {

constexpr double kWidth = 340, kLeft = 90, kRight = 320, kTop = 34;
constexpr std::size_t kMostNames = 26;  // above this only some are written

// Steps, so that a bin is as wide as it is; bins that look alike become one, empty ones are left
// out.
std::string outline(const std::vector<std::uint32_t>& bins, const Scale& x, double base,
                    double unit) {
  std::string path;
  std::string top;  // of the bins so far; empty: on the ground
  for (std::size_t b = 0; b <= bins.size(); ++b) {
    const std::uint32_t value = b < bins.size() ? bins[b] : 0;
    const std::string next = value == 0 ? "" : coordinate(base - unit * value);
    if (next == top) continue;
    const std::string here = coordinate(x(static_cast<double>(b)));
    if (top.empty()) {
      path += "M" + here + " " + coordinate(base) + "V" + next;
    } else {
      path += "H" + here + "V" + (next.empty() ? coordinate(base) + "z" : next);
    }
    top = next;
  }
  return path;
}

}  // namespace

std::vector<std::size_t> by_time(const Occupancy& occupancy) {
  std::vector<double> when;
  for (const auto& bins : occupancy.examples) {
    double sum = 0.0, weighted = 0.0;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      sum += bins[b];
      weighted += static_cast<double>(b) * bins[b];
    }
    when.push_back(sum > 0.0 ? weighted / sum : std::numeric_limits<double>::max());
  }
  std::vector<std::size_t> order(when.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return when[a] < when[b]; });
  return order;
}

void draw(Html& html, const RidgeChart& chart) {
  const auto& examples = chart.occupancy->examples;
  const std::size_t classes = examples.size();
  std::size_t bins = 1;
  std::uint32_t most = 1;
  for (const auto& row : examples) {
    bins = std::max(bins, row.size());
    for (const std::uint32_t value : row) most = std::max(most, value);
  }
  const double step = classes <= 12   ? 17.0
                      : classes <= 26 ? 11.0
                                      : 286.0 / static_cast<double>(classes);
  const double bottom = kTop + step * static_cast<double>(classes);
  const Drawing drawing(html, kWidth, bottom + 22, chart.title, chart.description, "ridges");
  name_label(html, 0, 14, "start", chart.title, kWidth, "panel");
  const Scale x{0.0, static_cast<double>(bins), kLeft, kRight};
  const double per_bin = std::max(1U, chart.occupancy->batches_in_bin);
  for (const double tick : whole_ticks(0.0, chart.batches, 4)) {
    const double at = std::min(kRight, x(tick / per_bin));
    line(html, at, kTop - 8, at, bottom, "grid");
    label(html, at, bottom + 14, "middle", fixed(tick, 0), "tick");
  }
  const double unit = (classes <= 26 ? 1.25 : 1.6) * step / most;
  const std::size_t every = (classes + kMostNames - 1) / kMostNames;
  double base = kTop;
  std::size_t place = 0;
  for (const std::size_t c : by_time(*chart.occupancy)) {
    base += step;
    const Inside group(html, "g");
    const std::string name = c < chart.names.size() ? chart.names[c] : std::to_string(c);
    const std::uint64_t sum =
        std::accumulate(examples[c].begin(), examples[c].end(), std::uint64_t{0});
    html.element("title", name + ": " + whole(sum) + " examples");
    if (place++ % every == 0) {
      name_label(html, kLeft - 6, base - 1, "end", name, kLeft - 7, classes > 12 ? "tiny" : "name");
    }
    if (classes <= 26) line(html, kLeft, base, kRight, base, "grid");
    const std::string path = outline(examples[c], x, base, unit);
    if (!path.empty())
      html.empty("path", {{"class", classes <= 26 ? "ridge" : "ridge fine"}, {"d", path}});
  }
}

}  // namespace jackdaw::replay::report
