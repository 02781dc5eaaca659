// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <set>

#include "replay/report/names.hpp"
#include "replay/report/numbers.hpp"
#include "replay/report/ridge_chart.hpp"
#include "replay/report/sections.hpp"

namespace jackdaw::replay::report {
namespace {

// Streams without an order have nothing to show.
bool drawable(const StreamInfo& stream) {
  return !stream.occupancy.examples.empty() && stream.schedule != "iid" &&
         stream.schedule != "unequal" && stream.schedule.rfind("shots:", 0) != 0;
}

}  // namespace

bool has_schedules(const Results& results) {
  return std::any_of(results.streams.begin(), results.streams.end(), drawable);
}

void add_schedules(Html& html, const Results& results) {
  std::vector<const StreamInfo*> streams;
  std::set<std::string> known;
  for (const StreamInfo& stream : results.streams) {
    if (drawable(stream) && known.insert(stream.data + "\n" + stream.schedule).second) {
      streams.push_back(&stream);
    }
  }
  // The paper's figure is of the Gaussian schedule.
  std::stable_sort(streams.begin(), streams.end(), [](const StreamInfo* a, const StreamInfo* b) {
    return (a->schedule == "gaussian") > (b->schedule == "gaussian");
  });
  Figure figure(html, "",
                "Which classes are taught when, in run 0: over the batches of the stream, a ridge "
                "as high as there are examples of the class. A new run draws a new order. Streams "
                "without one are not drawn.");
  figure.begin_panels();
  for (const StreamInfo* stream : streams) {
    RidgeChart chart;
    chart.title = data_name(stream->data) + ", " + schedule_name(stream->schedule);
    chart.description = "A ridge for each class over the batches of the stream.";
    chart.occupancy = &stream->occupancy;
    chart.batches = stream->batches;
    for (std::size_t c = 0; c < stream->occupancy.examples.size(); ++c) {
      chart.names.push_back(class_name(results, stream->data, c));
    }
    draw(html, chart);
  }
}

}  // namespace jackdaw::replay::report
