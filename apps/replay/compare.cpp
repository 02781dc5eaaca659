// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/compare.hpp"

#include <cmath>

#include "replay/merge_results.hpp"
#include "replay/metrics.hpp"
#include "replay/test_intervals.hpp"

namespace jackdaw::replay {
namespace {

std::string place_of(const Row& row) { return row.data + " " + row.schedule; }

// As far as both results know.
bool same_data(const Results& a, const Results& b, const std::string& name) {
  for (const DataInfo& x : a.data) {
    for (const DataInfo& y : b.data) {
      if (x.name == name && y.name == name && !same_pictures(x, y)) return false;
    }
  }
  return true;
}

bool same_stream(const StreamInfo& s, const StreamInfo& t) {
  // Results that were made small to be kept may lack what was taught when.
  const auto& taught_s = s.occupancy.examples;
  const auto& taught_t = t.occupancy.examples;
  return s.batches == t.batches && s.batch_size == t.batch_size && s.tasks == t.tasks &&
         (taught_s == taught_t || taught_s.empty() || taught_t.empty());
}

std::string why_unpaired(const Results& a, const Row& x, const Results& b, const Row& y) {
  if (!same_data(a, b, x.data)) return "other pictures";
  if (a.seed != b.seed) return "another seed";
  if (x.accuracy.runs.size() != y.accuracy.runs.size()) return "not as many runs";
  if (x.stream >= a.streams.size() || y.stream >= b.streams.size()) return "unknown streams";
  return same_stream(a.streams[x.stream], b.streams[y.stream]) ? "" : "another stream";
}

// Forgetting is a maximum over the tests: of more of them it is larger, and of one it is nothing.
bool tested_alike(const Results& a, const Row& x, const Results& b, const Row& y) {
  if (tested_once(x) || tested_once(y) || x.curves.batches != y.curves.batches) return false;
  const std::uint32_t interval = test_interval(a, x);
  return interval != 0 && interval == test_interval(b, y);
}

ComparedRow compared(const Results& a, const Row& x, const Results& b, const Row& y) {
  ComparedRow out;
  out.data = x.data;
  out.schedule = x.schedule;
  out.what = what_of(x) == what_of(y) ? what_of(x) : what_of(x) + " / " + what_of(y);
  out.encoder_a = x.encoder;
  out.encoder_b = y.encoder;
  out.accuracy_a = x.accuracy;
  out.accuracy_b = y.accuracy;
  out.unpaired = why_unpaired(a, x, b, y);
  const bool paired = out.unpaired.empty();
  out.accuracy = difference(x.accuracy, y.accuracy, paired);
  if (tested_alike(a, x, b, y)) {
    out.forgetting = difference(x.forgetting, y.forgetting, paired);
  }
  return out;
}

}  // namespace

Difference difference(const Spread& a, const Spread& b, bool paired) {
  Difference out;
  out.mean = b.mean - a.mean;
  out.paired = paired && a.runs.size() == b.runs.size() && !a.runs.empty();
  if (a.runs.size() < 2 || b.runs.size() < 2) return out;
  if (out.paired) {
    std::vector<double> differences;
    for (std::size_t r = 0; r < a.runs.size(); ++r) differences.push_back(b.runs[r] - a.runs[r]);
    const Spread spread = spread_of(std::move(differences));
    out.mean = spread.mean;
    out.standard_error = spread.std / std::sqrt(static_cast<double>(a.runs.size()));
    return out;
  }
  const auto of_mean = [](const Spread& s) {
    return s.std * s.std / static_cast<double>(s.runs.size());
  };
  out.standard_error = std::sqrt(of_mean(a) + of_mean(b));
  return out;
}

Comparison compare(const Results& a, const Results& b) {
  Comparison out;
  std::vector<bool> used_a(a.rows.size()), used_b(b.rows.size());
  const auto pair_up = [&](const auto& alike) {
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
      for (std::size_t j = 0; !used_a[i] && j < b.rows.size(); ++j) {
        if (used_b[j] || !alike(a.rows[i], b.rows[j])) continue;
        used_a[i] = used_b[j] = true;
        out.rows.push_back(compared(a, a.rows[i], b, b.rows[j]));
      }
    }
  };
  const auto same = [](const Row& x, const Row& y) {
    return place_of(x) == place_of(y) && what_of(x) == what_of(y);
  };
  const auto same_place = [](const Row& x, const Row& y) { return place_of(x) == place_of(y); };
  const auto left = [](const Results& all, const std::vector<bool>& used, const Row& like,
                       const auto& alike) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i] && alike(all.rows[i], like)) ++count;
    }
    return count;
  };
  const auto if_only_one = [&](const auto& alike) {
    return [&](const Row& x, const Row& y) {
      return alike(x, y) && left(a, used_a, x, alike) == 1 && left(b, used_b, y, alike) == 1;
    };
  };
  pair_up([&](const Row& x, const Row& y) {
    return same(x, y) && x.encoder == y.encoder && x.group == y.group;
  });
  pair_up([&](const Row& x, const Row& y) { return same(x, y) && x.encoder == y.encoder; });
  pair_up(if_only_one(same));
  pair_up(if_only_one(same_place));
  for (std::size_t i = 0; i < used_a.size(); ++i) {
    if (!used_a[i]) out.only_a.push_back(place_of(a.rows[i]) + " " + what_of(a.rows[i]));
  }
  for (std::size_t j = 0; j < used_b.size(); ++j) {
    if (!used_b[j]) out.only_b.push_back(place_of(b.rows[j]) + " " + what_of(b.rows[j]));
  }
  return out;
}

}  // namespace jackdaw::replay
