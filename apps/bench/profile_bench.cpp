// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// (c) Profile default against profile seed, and the refresh.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "bench/bench.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::size_t kQueries = 16;

Span<const std::byte> pick(const Ensemble& ensemble, const std::vector<std::byte>& examples,
                           std::size_t q) {
  const std::size_t bytes = ensemble.example_bytes();
  return Span<const std::byte>(examples).subspan(q % kQueries * bytes, bytes);
}

std::function<void()> predicting(Ensemble& e, const std::vector<std::byte>& examples,
                                 std::vector<ClassScore>& scores) {
  return [&] {
    for (std::size_t q = 0; q < kQueries; ++q)
      static_cast<void>(e.predict(0, pick(e, examples, q), scores));
  };
}

std::function<void()> teaching(Ensemble& e, const std::vector<std::byte>& examples) {
  return [&] {
    for (std::size_t q = 0; q < kQueries; ++q) {
      static_cast<void>(
          e.teach(pick(e, examples, q), static_cast<std::uint32_t>(q % 10), Part::kBoth));
    }
    for (std::size_t q = 0; q < kQueries; ++q) {
      static_cast<void>(
          e.unteach(pick(e, examples, q), static_cast<std::uint32_t>(q % 10), Part::kBoth));
    }
  };
}

void compare_profiles(const BenchOptions& options, std::uint32_t dimensions, std::uint32_t classes,
                      std::vector<Result>& results) {
  EnsembleSettings s;
  s.dimensions = dimensions;
  s.max_classes = classes;
  const auto ours = full_ensemble(s);
  s.profile = Profile::kSeed;
  const auto seed = full_ensemble(s);
  const auto our_examples = random_examples(*ours, kQueries, 5);
  const auto seed_examples = random_examples(*seed, kQueries, 5);
  std::vector<ClassScore> scores(classes);
  std::vector<Timed> timed{{"", predicting(*ours, our_examples, scores)},
                           {"", predicting(*seed, seed_examples, scores)},
                           {"", teaching(*ours, our_examples)},
                           {"", teaching(*seed, seed_examples)}};
  measure(timed, options.repetitions);
  const std::string sizes =
      "d = " + std::to_string(dimensions) + ", " + std::to_string(classes) + " classes";
  for (std::size_t i = 0; i < 2; ++i) {
    Result r;
    const double calls = i == 0 ? kQueries : 2 * kQueries;
    r.name = std::string(i == 0 ? "default answers" : "default teaches") + ", " + sizes;
    r.ours_us = timed[2 * i].seconds * 1e6 / calls;
    r.peer_us = timed[2 * i + 1].seconds * 1e6 / calls;
    r.peer = "profile seed";
    r.ratio = r.peer_us / r.ours_us;
    r.required = i == 0 ? 1.0 / 2.0 : 1.0 / 3.0;
    results.push_back(r);
  }
}

// Times of single answers in microseconds, sorted.
std::vector<double> answer_times(Ensemble& e, const std::vector<std::byte>& examples,
                                 std::size_t count) {
  using Clock = std::chrono::steady_clock;
  std::vector<ClassScore> scores(e.settings().max_classes);
  std::vector<double> times;
  for (std::size_t q = 0; q < count; ++q) {
    const auto start = Clock::now();
    static_cast<void>(e.predict(0, pick(e, examples, q), scores));
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times;
}

void refresh_beside_answers(std::uint32_t dimensions, std::vector<Result>& results) {
  EnsembleSettings s;
  s.dimensions = dimensions;
  s.max_classes = 100;
  const auto ensemble = full_ensemble(s);
  const auto examples = random_examples(*ensemble, kQueries, 6);
  constexpr std::size_t kAnswers = 4000;
  const std::vector<double> alone = answer_times(*ensemble, examples, kAnswers);
  std::atomic<bool> stop{false};
  double refresh_us = 0.0;
  std::thread refresher([&] {
    int count = 0;
    const auto start = std::chrono::steady_clock::now();
    while (!stop || count == 0) {
      static_cast<void>(ensemble->refresh());
      ++count;
    }
    refresh_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
                     .count() /
                 count;
  });
  const std::vector<double> beside = answer_times(*ensemble, examples, kAnswers);
  stop = true;
  refresher.join();
  const auto percentile = [](const std::vector<double>& sorted, double p) {
    return sorted[static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1))];
  };
  char text[200];
  std::snprintf(text, sizeof(text),
                "an answer takes %.0f us (99 %%: %.0f) alone and %.0f us (99 %%: %.0f, longest "
                "%.0f) while refresh "
                "runs without pause",
                percentile(alone, 0.5), percentile(alone, 0.99), percentile(beside, 0.5),
                percentile(beside, 0.99), beside.back());
  Result r;
  r.name = "refresh, d = " + std::to_string(dimensions) + ", 100 classes";
  r.ours_us = refresh_us;
  r.note = text;
  results.push_back(r);
}

}  // namespace

std::vector<Result> profile_bench(const BenchOptions& options) {
  std::vector<Result> results;
  compare_profiles(options, 512, 10, results);
  compare_profiles(options, 256, 100, results);
  refresh_beside_answers(256, results);
  refresh_beside_answers(512, results);
  return results;
}

}  // namespace jackdaw::bench
