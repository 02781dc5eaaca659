// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "replay/merge_results.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "jackdaw/error.hpp"

namespace jackdaw::replay {
namespace {

auto key_of(const Row& row) {
  return std::tie(row.group, row.data, row.schedule, row.encoder, row.head, row.profile, row.label);
}

void check_fits(const Results& all, const Results& part) {
  if (all.seed != part.seed || all.runs != part.runs) {
    throw SettingsError("these results do not belong beside each other: seed " +
                        std::to_string(all.seed) + " and " + std::to_string(all.runs) + " runs (" +
                        all.command + "), seed " + std::to_string(part.seed) + " and " +
                        std::to_string(part.runs) + " runs (" + part.command + ")");
  }
  for (const EncoderInfo& a : all.encoders) {
    for (const EncoderInfo& b : part.encoders) {
      if (a.name == b.name && a.hash != b.hash) {
        throw SettingsError("the encoder " + a.name + " is not the same in " + all.command +
                            " and in " + part.command);
      }
    }
  }
  for (const DataInfo& a : all.data) {
    for (const DataInfo& b : part.data) {
      if (a.name == b.name && !same_pictures(a, b)) {
        throw SettingsError("the pictures of " + a.name + " are not the same in " + all.command +
                            " and in " + part.command);
      }
    }
  }
  for (const Row& a : all.rows) {
    for (const Row& b : part.rows) {
      if (key_of(a) == key_of(b)) {
        throw SettingsError("two results hold the row " + b.data + " " + b.schedule + ", " +
                            b.encoder + ", " + b.head + " " + b.profile + b.label +
                            "; leave one of them out");
      }
    }
  }
}

// Adds what is not there yet, by name.
template <class T>
void add_named(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& entry : from) {
    const auto same = [&](const T& other) { return other.name == entry.name; };
    if (std::none_of(to.begin(), to.end(), same)) to.push_back(entry);
  }
}

// Of one that both have, what either encoded counts.
void add_encoders(std::vector<EncoderInfo>& to, const std::vector<EncoderInfo>& from) {
  for (EncoderInfo& known : to) {
    for (const EncoderInfo& entry : from) {
      if (known.name != entry.name) continue;
      known.encoded += entry.encoded;
      if (known.backend.empty()) known.backend = entry.backend;
      if (known.pictures_per_second <= 0.0) known.pictures_per_second = entry.pictures_per_second;
    }
  }
  add_named(to, from);
}

std::vector<Call> calls_of(const Results& results) {
  if (!results.calls.empty()) return results.calls;
  return {{results.command, results.started, results.machine.processor, results.versions.jackdaw,
           results.total_seconds}};
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void add(Results& all, const Results& part) {
  const auto streams = static_cast<std::uint32_t>(all.streams.size());
  append(all.streams, part.streams);
  for (Row row : part.rows) {
    const bool known = row.stream < part.streams.size();
    row.stream = known ? row.stream + streams : std::numeric_limits<std::uint32_t>::max();
    all.rows.push_back(std::move(row));
  }
  add_named(all.data, part.data);
  add_encoders(all.encoders, part.encoders);
  if (all.published.empty()) all.published = part.published;
  for (const std::string& note : part.notes) {
    if (std::find(all.notes.begin(), all.notes.end(), note) == all.notes.end()) {
      all.notes.push_back(note);
    }
  }
  append(all.calls, calls_of(part));
  all.total_seconds += part.total_seconds;
  all.peak_memory_bytes = std::max(all.peak_memory_bytes, part.peak_memory_bytes);
  append(all.exhibits.activations, part.exhibits.activations);
  append(all.exhibits.keys, part.exhibits.keys);
  append(all.exhibits.maps, part.exhibits.maps);
}

}  // namespace

bool same_pictures(const DataInfo& a, const DataInfo& b) {
  if (a.classes != b.classes) return false;
  if (!a.sha256.empty() && !b.sha256.empty()) return a.sha256 == b.sha256;
  return a.train == b.train && a.test == b.test;
}

Results merge_results(std::vector<Results> parts) {
  if (parts.empty()) throw SettingsError("there are no results to put together");
  Results all = std::move(parts.front());
  if (parts.size() > 1) all.calls = calls_of(all);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    check_fits(all, parts[i]);
    add(all, parts[i]);
  }
  return all;
}

}  // namespace jackdaw::replay
