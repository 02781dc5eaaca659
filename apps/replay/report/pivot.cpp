// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/report/pivot.hpp"

#include <algorithm>
#include <set>

#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

std::size_t column_of(const Pivot& pivot, const std::string& data, const std::string& schedule) {
  for (std::size_t i = 0; i < pivot.columns.size(); ++i) {
    if (pivot.columns[i].data == data && pivot.columns[i].schedule == schedule) return i;
  }
  return pivot.columns.size();
}

// Models of which a column has more than one: their encoders tell them apart.
std::set<std::string> told_apart(const std::vector<const Row*>& rows) {
  std::set<std::string> seen, models;
  for (const Row* row : rows) {
    const std::string name = model_name(*row);
    if (!seen.insert(name + "\n" + row->data + "\n" + row->schedule).second) models.insert(name);
  }
  return models;
}

void place(Pivot& pivot, const Row& row, bool by_encoder) {
  const std::size_t column = column_of(pivot, row.data, row.schedule);
  const auto fits = [&](const PivotLine& line) {
    return model_name(*line.first) == model_name(row) && line.cells[column] == nullptr &&
           (!by_encoder || line.first->encoder == row.encoder);
  };
  auto line = std::find_if(pivot.lines.begin(), pivot.lines.end(), fits);
  if (line == pivot.lines.end()) {
    line = pivot.lines.insert(line, {&row, by_encoder, {}});
    line->cells.resize(pivot.columns.size());
  }
  line->cells[column] = &row;
}

void add_head(Html& html, const Pivot& pivot) {
  const Inside head(html, "thead");
  {
    const Inside row(html, "tr");
    html.element("th", {{"scope", "col"}, {"rowspan", "2"}}, "model");
    for (std::size_t i = 0; i < pivot.columns.size();) {
      std::size_t end = i;
      while (end < pivot.columns.size() && pivot.columns[end].data == pivot.columns[i].data) ++end;
      html.element("th",
                   {{"scope", "colgroup"}, {"class", "over"}, {"colspan", std::to_string(end - i)}},
                   data_name(pivot.columns[i].data));
      i = end;
    }
  }
  const Inside row(html, "tr");
  for (const Setting& column : pivot.columns) {
    html.element("th", {{"scope", "col"}, {"class", "n"}}, schedule_name(column.schedule));
  }
}

std::string best_of(const Pivot& pivot, std::size_t column) {
  double best = -1.0;
  for (const PivotLine& line : pivot.lines) {
    if (line.cells[column] != nullptr) best = std::max(best, line.cells[column]->accuracy.mean);
  }
  return fixed(best, 1);
}

void add_line(Html& html, const Pivot& pivot, const PivotLine& line) {
  const Inside row(html, "tr");
  {
    const Inside header(html, "th", {{"scope", "row"}});
    html.element("span", {{"class", "swatch " + series_class(*line.first)}}, "");
    html.text(model_name(*line.first));
    if (line.by_encoder) html.element("small", {}, " " + line.first->encoder);
  }
  for (std::size_t c = 0; c < pivot.columns.size(); ++c) {
    const Row* found = line.cells[c];
    if (found == nullptr) {
      cell(html, "", "n");
      continue;
    }
    const bool best = pivot.lines.size() > 1 && fixed(found->accuracy.mean, 1) == best_of(pivot, c);
    html.element("td",
                 {{"class", best ? "n best" : "n"},
                  {"title", found->encoder + ", " + bytes(found->memory_bytes)}},
                 plus_minus(found->accuracy));
  }
}

void add_published(Html& html, const Pivot& pivot, const std::vector<Published>& published) {
  std::vector<std::string> models;
  for (const Published& p : published) {
    if (!p.accuracy || column_of(pivot, p.data, p.schedule) == pivot.columns.size()) continue;
    if (std::find(models.begin(), models.end(), p.model) == models.end()) models.push_back(p.model);
  }
  if (models.empty()) return;
  const Inside body(html, "tbody", {{"class", "others"}});
  {
    const Inside row(html, "tr", {{"class", "divider"}});
    const Inside header(
        html, "th", {{"colspan", std::to_string(pivot.columns.size() + 1)}, {"scope", "rowgroup"}});
    html.element("span",
                 "Published by others, with encoders and data of their own; not measured here");
  }
  for (const std::string& model : models) {
    const Inside row(html, "tr");
    {
      const Inside header(html, "th", {{"scope", "row"}});
      html.element("span", {{"class", "swatch diamond"}}, "");
      html.text(model);
    }
    for (const Setting& column : pivot.columns) {
      std::string text;
      for (const Published& p : published) {
        if (p.model == model && p.data == column.data && p.schedule == column.schedule &&
            p.accuracy) {
          text = fixed(*p.accuracy, 1);
        }
      }
      cell(html, text, "n");
    }
  }
}

}  // namespace

Pivot pivot_of(const Results& results, bool (*wanted)(const Row&)) {
  Pivot pivot;
  pivot.columns = settings_of(results, wanted);
  std::vector<const Row*> rows;
  for (const Row& row : results.rows) {
    if (wanted(row)) rows.push_back(&row);
  }
  const std::set<std::string> apart = told_apart(rows);
  for (const Row* row : rows) place(pivot, *row, apart.count(model_name(*row)) != 0);
  std::stable_sort(pivot.lines.begin(), pivot.lines.end(),
                   [](const PivotLine& a, const PivotLine& b) {
                     return series_rank(*a.first) < series_rank(*b.first);
                   });
  return pivot;
}

void add_pivot(Html& html, const Pivot& pivot, const std::string& caption,
               const std::vector<Published>& published) {
  begin_table(html, caption, pivot.columns.size() > 8 ? "pivot many" : "pivot");
  add_head(html, pivot);
  {
    const Inside body(html, "tbody");
    for (const PivotLine& line : pivot.lines) add_line(html, pivot, line);
  }
  add_published(html, pivot, published);
  end_table(html);
}

}  // namespace jackdaw::replay::report
