// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results that nobody measured, with all parts a report draws.

#include <cmath>
#include <limits>
#include <string>

#include "replay/results.hpp"

namespace jackdaw::testing {

inline replay::Band made_band(std::size_t points, double level) {
  replay::Band band;
  for (std::size_t i = 0; i < points; ++i) {
    band.mean.push_back(level * static_cast<double>(i + 1) / static_cast<double>(points));
    band.std.push_back(1.5);
  }
  return band;
}

inline replay::Row made_row(const std::string& data, const std::string& schedule,
                            const std::string& head, const std::string& profile, double accuracy,
                            std::uint32_t stream, std::size_t classes, std::size_t runs) {
  replay::Row row;
  row.data = data;
  row.schedule = schedule;
  row.encoder = "vae-omniglot";
  row.head = head;
  row.profile = profile;
  row.group = "main";
  row.stream = stream;
  std::vector<double> accuracies, forgettings;
  for (std::size_t r = 0; r < runs; ++r) {
    accuracies.push_back(accuracy + 0.37 * static_cast<double>(r));
    forgettings.push_back(0.1 * (100.0 - accuracy) + 0.21 * static_cast<double>(r));
  }
  row.accuracy = replay::spread_of(accuracies);
  row.forgetting = replay::spread_of(forgettings);
  row.unknown = replay::Unknown{0.912, 5, 5, 500};
  row.calibration_error = 3.4;
  row.memory_bytes = 12'345'678;
  row.seconds = {1.5, 2.5, 60000, 500000};
  row.settings.dimensions = 512;
  for (std::uint32_t b = 10; b <= 100; b += 10) row.curves.batches.push_back(b);
  row.curves.overall = made_band(10, accuracy);
  for (int t = 0; t < 5; ++t) row.curves.tasks.push_back(made_band(10, accuracy));
  for (std::size_t c = 0; c < classes; ++c) {
    replay::ClassResult one;
    one.name = "class" + std::to_string(c);
    one.accuracy = row.accuracy;
    row.classes.push_back(one);
  }
  return row;
}

inline replay::Results made_results(std::size_t classes, std::size_t runs) {
  replay::Results results;
  results.command = "jackdaw replay paper --data data";
  results.started = "2026-01-02T03:04:05Z";
  results.runs = static_cast<std::uint32_t>(runs);
  results.threads = 2;
  results.total_seconds = 4000.0;
  results.versions = {"0.1.0", "4.6.0", "12.2.0"};
  results.machine.processor = "a processor";
  replay::DataInfo data;
  data.name = "mnist";
  data.path = "/data/mnist";
  for (std::size_t c = 0; c < classes; ++c) data.classes.push_back("class" + std::to_string(c));
  data.train = 24000;
  data.test = 10000;
  data.full_train = 60000;
  results.data.push_back(data);
  replay::EncoderInfo encoder;
  encoder.name = "vae-omniglot";
  encoder.hash = std::string(64, 'a');
  encoder.output_size = 512;
  results.encoders.push_back(encoder);
  for (const char* schedule : {"5way", "gaussian"}) {
    replay::StreamInfo stream;
    stream.data = "mnist";
    stream.schedule = schedule;
    stream.batches = 100;
    stream.batch_size = 60;
    stream.full_batches = 1000;
    stream.shortened = true;
    stream.occupancy.examples.assign(classes, std::vector<std::uint32_t>(10, 0));
    for (std::size_t c = 0; c < classes; ++c) {
      stream.occupancy.examples[c][c * 10 / classes] = 60;
    }
    const auto index = static_cast<std::uint32_t>(results.streams.size());
    results.streams.push_back(stream);
    const double lift = index == 0 ? 0.0 : 1.0;
    const auto add = [&](const char* head, const char* profile, double accuracy) {
      results.rows.push_back(
          made_row("mnist", schedule, head, profile, accuracy + lift, index, classes, runs));
    };
    add("ensemble", "default", 95.31);
    add("ensemble", "seed", 88.42);
    add("vanilla", "", 41.53);
    add("tanh", "", 62.64);
    add("ncm", "", 90.75);
    add("slda", "", 93.86);
    add("knn", "", 91.97);
  }
  for (const char* group : {"few", "second", "ablation", "encoders", "of tomorrow"}) {
    replay::Row row = made_row("mnist", group == std::string("few") ? "shots:5" : "5way",
                               "ensemble", "default", 77.7, 0, classes, runs);
    row.group = group;
    if (group == std::string("ablation")) row.label = "n=128 k=8";
    results.rows.push_back(row);
  }
  results.published = {{"mnist", "5way", "CN-DPM", 93.23, std::nullopt},
                       {"mnist", "5way", "the paper's ensemble", std::nullopt, 6.2},
                       {"cifar10", "5way", "not among ours", 1.0, std::nullopt}};
  results.notes = {"cifar10 is not among the data: its rows are left out"};
  return results;
}

// The parts that only a report needs.
inline void add_made_exhibits(replay::Results& results) {
  const std::size_t classes = results.data.at(0).classes.size();
  const double none = std::numeric_limits<double>::quiet_NaN();
  replay::Activations activations{"mnist", "lowdata", "vae-omniglot", "seed", {}, {}};
  for (std::uint32_t c = 0; c < std::min<std::size_t>(classes, 16); ++c) {
    activations.classes.push_back(c);
  }
  for (std::uint32_t p = 0; p < 2; ++p) {
    replay::SamplePicture picture;
    picture.label = p == 0 ? 0 : static_cast<std::uint32_t>(activations.classes.size() - 1);
    picture.classifiers = {3, 5, 9};
    picture.weights = {0.5, 0.3, 0.2};
    picture.thumbnail = "iVBORw0KGgo=";
    for (std::uint32_t m = 1; m <= 4; ++m) {
      replay::ActivationMoment moment;
      moment.batch = 25 * m;
      for (std::size_t c = 0; c < activations.classes.size(); ++c) {
        moment.answer.push_back(m == 1 && c > 1 ? none : 0.1 * static_cast<double>(c + m));
      }
      moment.values.assign(3, moment.answer);
      picture.moments.push_back(moment);
    }
    activations.pictures.push_back(picture);
  }
  results.exhibits.activations.push_back(activations);
  replay::KeyUse keys{"mnist", "vae-omniglot", "seed", 64, 8, 4, 2, {}};
  for (std::size_t c = 0; c < classes; ++c) {
    keys.share.emplace_back(16, 1.0);
    keys.share.back()[c % 16] = 40.0;
  }
  results.exhibits.keys.push_back(keys);
  replay::EmbeddingMap map{"mnist", "vae-omniglot", "t-SNE", {}, {}, {}};
  for (std::uint32_t i = 0; i < 300; ++i) {
    map.x.push_back(i * 3);
    map.y.push_back(1000 - i * 3);
    map.label.push_back(i % static_cast<std::uint32_t>(classes));
  }
  results.exhibits.maps.push_back(map);
}

}  // namespace jackdaw::testing
