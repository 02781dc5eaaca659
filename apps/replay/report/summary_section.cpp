// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The head of the page: what was run, on what, in how long, and the numbers to remember.
#include <algorithm>
#include <map>
#include <set>

#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/sections.hpp"
#include "replay/test_intervals.hpp"

namespace jackdaw::replay::report {
namespace {

void tile(Html& html, const std::string& value, const std::string& what, const std::string& more) {
  const Inside box(html, "div", {{"class", "tile"}});
  html.element("p", {{"class", "figure"}}, value);
  html.element("p", {{"class", "what"}}, what);
  if (!more.empty()) html.element("p", {{"class", "more"}}, more);
}

std::string beside(const Results& results, const Row& row) {
  for (const Published& p : results.published) {
    if (p.data == row.data && p.schedule == row.schedule && p.accuracy) {
      const bool part =
          row.stream < results.streams.size() && results.streams[row.stream].shortened;
      return p.model + ": " + fixed(*p.accuracy, 1) +
             (part ? " (published, on all of the data)" : " (published)");
    }
  }
  return row.encoder.find(',') == std::string::npos ? row.encoder : "";
}

std::string counted(std::size_t count, const char* one, const char* several) {
  return whole(count) + " " + (count == 1 ? one : several);
}

std::vector<std::string> data_names(const Results& results) {
  std::vector<std::string> names;
  for (const Row& row : results.rows) {
    const std::string name = data_name(row.data);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string story(const Results& results) {
  std::set<std::string> models, schedules;
  for (const Row& row : results.rows) {
    models.insert(row.head + row.profile);
    schedules.insert(row.data + " " + row.schedule);
  }
  std::uint64_t train = 0, test = 0;
  for (const DataInfo& data : results.data) {
    train += data.train;
    test += data.test;
  }
  std::string text =
      "A stream of pictures teaches classes as they come, in an order that the learner cannot "
      "choose and without looking back; then all classes are tested. " +
      counted(models.size(), "model", "models") + " on " +
      counted(schedules.size(), "stream", "streams") + ", " + counted(results.runs, "run", "runs") +
      " each with an order of its own";
  if (train > 0) {
    text += ", from " + whole(train) + " training and " + whole(test) + " test pictures";
  }
  text +=
      ". In each run all models saw the same stream; which encoder each saw it through stands "
      "under What each number was made with. Profile seed of the ensemble is the paper's rule, "
      "profile default is Jackdaw's own.";
  return text;
}

void add_tiles(Html& html, const Results& results) {
  const Inside tiles(html, "div", {{"class", "tiles"}});
  std::vector<std::string> seen;
  for (const Row& row : results.rows) {
    if (!is_main(row) || std::find(seen.begin(), seen.end(), row.data) != seen.end()) continue;
    seen.push_back(row.data);
    if (seen.size() > 3) break;
    const Row* found = headline_row(results, row.data);
    tile(html, fixed(found->accuracy.mean, 1) + " %",
         data_name(found->data) + " " + schedule_name(found->schedule) + ", " + short_model(*found),
         beside(results, *found));
  }
  const Row* first = seen.empty() ? nullptr : headline_row(results, seen[0]);
  if (first != nullptr && !tested_once(*first)) {
    tile(
        html, fixed(first->forgetting.mean, 1), "points forgotten",
        data_name(first->data) + " " + schedule_name(first->schedule) + ", " + short_model(*first));
  }
  if (first != nullptr) {
    tile(html, bytes(first->memory_bytes), "memory of the head",
         data_name(first->data) + ", fixed when it starts");
  }
  if (results.total_seconds <= 0.0) return;
  tile(html, duration(results.total_seconds), "for everything",
       counted(results.threads, "thread", "threads"));
}

// "CIFAR-100: 400 of 1,000 batches (20-way split, Gaussian)"
void add_shortened(Html& html, const Results& results) {
  std::map<std::string, std::string> schedules;
  std::set<std::string> known;
  for (const StreamInfo& s : results.streams) {
    if (!s.shortened || !known.insert(s.data + "\n" + s.schedule).second) continue;
    std::string& names = schedules[data_name(s.data) + ": " + whole(s.batches) + " of " +
                                   whole(s.full_batches) + " batches"];
    names += (names.empty() ? "" : ", ") + schedule_name(s.schedule);
  }
  if (schedules.empty()) return;
  std::vector<std::string> list;
  for (const auto& [text, names] : schedules) list.push_back(text + " (" + names + ")");
  html.element("p", {{"class", "warning"}},
               "Not like for like with full streams, every part is shorter in proportion. " +
                   listed(list) + ".");
}

}  // namespace

void add_summary(Html& html, const Results& results) {
  const Inside header(html, "header");
  html.element("p", {{"class", "kicker"}}, "Jackdaw replay report");
  const std::vector<std::string> names = data_names(results);
  html.element("h1",
               names.empty() ? "An empty replay" : "Learning " + listed(names) + " as a stream");
  html.element("p", {{"class", "byline"}},
               (results.calls.empty() ? results.started
                                      : counted(results.calls.size(), "call", "calls") +
                                            ", the first " + results.started) +
                   " · random seed " + std::to_string(results.seed) + " · " +
                   counted(results.runs, "run", "runs") + " · jackdaw " + results.versions.jackdaw +
                   (results.machine.processor.empty() ? "" : " · " + results.machine.processor));
  html.element("p", {{"class", "lead"}}, story(results));
  add_tiles(html, results);
  add_shortened(html, results);
}

}  // namespace jackdaw::replay::report
