// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// (b) Profile seed, a batch of 60.
#include <algorithm>
#include <random>
#include <thread>

#include "bench/bench.hpp"

namespace jackdaw::bench {

std::vector<Result> batch_bench(const BenchOptions& options) {
  constexpr std::size_t kBatch = 60;
  EnsembleSettings settings;
  settings.profile = Profile::kSeed;
  settings.dimensions = 512;
  settings.max_classes = 10;

  settings.batch_threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const auto ensemble = make_ensemble(settings, Device::kCpu);
  std::uint32_t slot = 0;
  while (ensemble->open_class(slot) == Status::kOk) {
  }
  // From the encoder's output, as the peer does it: normalising is part of the step.
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  // Several batches in turn: one alone would find its rows in the cache.
  constexpr std::size_t kBatches = 8;
  const std::size_t values = kBatch * settings.dimensions;
  std::vector<float> embeddings(kBatches * values);
  for (float& value : embeddings) value = normal(random);
  const std::size_t bytes = ensemble->example_bytes();
  std::vector<std::byte> examples(kBatch * bytes);
  std::size_t turn = 0;
  const auto admit = [&] {
    const Span<const float> batch =
        Span<const float>(embeddings).subspan(turn++ % kBatches * values, values);
    static_cast<void>(ensemble->admit_batch(batch, examples));
  };
  std::vector<std::uint32_t> slots(kBatch);
  for (std::size_t b = 0; b < kBatch; ++b)
    slots[b] = static_cast<std::uint32_t>(b % settings.max_classes);
  std::vector<ClassScore> scores(kBatch * settings.max_classes);
  std::vector<Timed> timed{{"teach",
                            [&] {
                              admit();
                              static_cast<void>(ensemble->teach_batch(examples, slots));
                            }},
                           {"predict", [&] {
                              admit();
                              static_cast<void>(ensemble->predict_batch(0, examples, scores));
                            }}};
  measure(timed, options.repetitions * 4);
  std::vector<Result> results(2);
  results[0].name = "seed, teach a batch of 60";
  results[1].name = "seed, answer a batch of 60";
  for (std::size_t i = 0; i < 2; ++i) {
    results[i].ours_us = timed[i].seconds * 1e6;
    results[i].note = "n = 1024, k = 32, d = 512, 10 classes, " +
                      std::to_string(settings.batch_threads) +
                      " threads; compare with the JAX peer: tests/bench/compare.py";
  }
  return results;
}

}  // namespace jackdaw::bench
