// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// (a) Bytes against bandwidth.
#include <algorithm>

#include "bench/bandwidth.hpp"
#include "bench/bench.hpp"

namespace jackdaw::bench {
namespace {

constexpr std::size_t kQueries = 16;  // a turn; each chooses other rows

struct Setup {
  EnsembleSettings settings;
  std::unique_ptr<Ensemble> ensemble;
  std::vector<std::byte> examples;
  std::vector<std::vector<std::uint32_t>> chosen;
  std::vector<ClassScore> scores;
  std::size_t stride = 0;
  std::size_t row = 0;  // bytes

  Span<const std::byte> example(std::size_t q) const {
    return Span<const std::byte>(examples).subspan(q * ensemble->example_bytes(),
                                                   ensemble->example_bytes());
  }
};

Setup make_setup(std::uint32_t classes) {
  Setup s;
  s.settings.dimensions = 256;
  s.settings.max_classes = classes;
  s.ensemble = full_ensemble(s.settings);
  s.examples = random_examples(*s.ensemble, kQueries, 7);
  s.scores.resize(classes);
  s.stride = (s.settings.dimensions + 31) / 32 * 32;
  s.row = s.stride * element_bytes(s.settings.store);
  for (std::size_t q = 0; q < kQueries; ++q) {
    s.chosen.emplace_back(s.settings.nearest);
    static_cast<void>(s.ensemble->nearest(0, s.example(q), s.chosen.back()));
  }
  return s;
}

// The same bytes in the same places, touched and nothing else.
struct BareMix {
  explicit BareMix(const Setup& s)
      : setup(s),
        keys(s.settings.classifiers * s.stride),
        whitening(s.stride * s.stride * 4),
        sums(s.settings.max_classes * s.stride * 4),
        scatter(s.stride * s.stride * 4),
        rows(s.settings.classifiers * s.settings.max_classes * s.row) {}

  void predict(std::size_t q) {
    sink += read_all(keys.bytes()) + read_all(whitening.bytes()) + read_all(sums.bytes());
    const std::size_t block = setup.settings.max_classes * setup.row;
    for (const std::uint32_t j : setup.chosen[q]) sink += read_all(rows.part(j * block, block));
  }

  void teach(std::size_t q, std::size_t slot) {
    sink += read_all(keys.bytes()) + read_all(whitening.bytes());
    for (std::size_t r = 0; r < setup.stride; ++r) {
      update_all(scatter.part(r * setup.stride * 4, 16 * (r / 16 + 1) * 4));
    }
    const std::size_t block = setup.settings.max_classes * setup.row;
    for (const std::uint32_t j : setup.chosen[q]) {
      update_all(rows.part(j * block + slot * setup.row, setup.row));
    }
    update_all(sums.part(slot * setup.stride * 4, setup.stride * 4));
  }

  const Setup& setup;
  Block keys, whitening, sums, scatter, rows;
  std::uint64_t sink = 0;
};

Result compared(const std::string& name, const Timed& ours, const Timed& peer,
                const std::string& what) {
  Result r;
  r.name = name;
  r.ours_us = ours.seconds * 1e6 / kQueries;
  r.peer_us = peer.seconds * 1e6 / kQueries;
  r.peer = what;
  r.ratio = peer.seconds / ours.seconds;
  r.required = 0.6;
  return r;
}

void large_store(const BenchOptions& options, std::vector<Result>& results) {
  EnsembleSettings sizes;
  const std::size_t class_bytes = std::size_t{sizes.classifiers} * 256 * 2;
  const auto classes = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(4 * last_level_cache() / class_bytes, 100, 1000));
  Setup s = make_setup(classes);
  BareMix mix(s);
  std::size_t slot = 0;
  std::vector<Timed> timed{
      {"predict",
       [&] {
         for (std::size_t q = 0; q < kQueries; ++q)
           static_cast<void>(s.ensemble->predict(0, s.example(q), s.scores));
       }},
      {"bare predict",
       [&] {
         for (std::size_t q = 0; q < kQueries; ++q) mix.predict(q);
       }},
      {"teach",
       [&] {
         // Taught and taken back in turn, so that the store stays as it is; always another class.
         for (std::size_t q = 0; q < kQueries; ++q) {
           const auto c = static_cast<std::uint32_t>((slot + q * 37) % classes);
           static_cast<void>(
               slot % 2 == 0 ? s.ensemble->teach(s.example(q), c, Part::kBoth)
                             : s.ensemble->unteach(s.example(q), c - (c > 0 ? 1 : 0), Part::kBoth));
         }
         ++slot;
       }},
      {"bare teach", [&] {
         for (std::size_t q = 0; q < kQueries; ++q) mix.teach(q, (slot + q * 37) % classes);
       }}};
  measure(timed, options.repetitions);
  const std::string note = std::to_string(classes) + " classes, d = 256, store " +
                           std::to_string(classes * class_bytes >> 20U) +
                           " MiB, last-level cache " + std::to_string(last_level_cache() >> 20U) +
                           " MiB";
  results.push_back(
      compared("predict, store larger than cache", timed[0], timed[1], "reading the same bytes"));
  results.back().note = note;
  results.push_back(
      compared("teach, store larger than cache", timed[2], timed[3], "touching the same bytes"));
  results.back().note = note;
}

void small_store(const BenchOptions& options, std::vector<Result>& results) {
  Setup s = make_setup(10);
  const Block rows(s.settings.classifiers * s.settings.max_classes * s.row);
  const Block matrix((s.stride + s.settings.max_classes) * s.stride * 4);
  std::vector<float> x(s.stride, 1.0F);
  std::vector<std::uint32_t> chosen(s.settings.nearest);
  volatile float sink = 0.0F;
  std::vector<Timed> timed{
      {"predict",
       [&] {
         for (std::size_t q = 0; q < kQueries; ++q)
           static_cast<void>(s.ensemble->predict(0, s.example(q), s.scores));
       }},
      {"nearest",
       [&] {
         for (std::size_t q = 0; q < kQueries; ++q)
           static_cast<void>(s.ensemble->nearest(0, s.example(q), chosen));
       }},
      {"bare dot", [&] {
         const std::size_t block = s.settings.max_classes * s.row;
         for (std::size_t q = 0; q < kQueries; ++q) {
           const auto whitening = matrix.bytes();
           sink = sink +
                  bare_dot(x, Span<const float>(reinterpret_cast<const float*>(whitening.data()),
                                                whitening.size() / 4));
           for (const std::uint32_t j : s.chosen[q]) {
             const auto part = rows.part(j * block, block);
             sink = sink + bare_dot(x, Span<const std::int16_t>(
                                           reinterpret_cast<const std::int16_t*>(part.data()),
                                           part.size() / 2));
           }
         }
       }}};
  measure(timed, options.repetitions);
  Timed read_out = timed[0];
  read_out.seconds -= timed[1].seconds;  // what is not the search for the nearest keys
  results.push_back(compared("read-out, store in cache", read_out, timed[2],
                             "a bare dot product over the same bytes"));
  results.back().note = "10 classes, d = 256: predict less the search for the nearest keys";
}

}  // namespace

std::vector<Result> memory_bench(const BenchOptions& options) {
  std::vector<Result> results;
  large_store(options, results);
  small_store(options, results);
  return results;
}

}  // namespace jackdaw::bench
