// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmarks. Each returns what it found; nothing here decides pass or fail by the clock alone:
// every requirement is a ratio to something measured in the same run.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/timing.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/ensemble.hpp"

namespace jackdaw::bench {

struct BenchOptions {
  int repetitions = 41;
  unsigned threads = 0;  // for batches; 0: as many as there are cores
};

// Bytes against bandwidth: a store larger than the last-level cache, and one that fits.
std::vector<Result> memory_bench(const BenchOptions& options);
// Profile seed, a batch of 60, n = 1024, d = 512, 10 classes: to be compared with the JAX peer in
// tests/bench.
std::vector<Result> batch_bench(const BenchOptions& options);
// Profile default against profile seed at the same sizes; the refresh and what it does to answers.
std::vector<Result> profile_bench(const BenchOptions& options);

// From pixels to an embedding, for every encoder in the cache.
std::vector<Result> encoder_bench(const BenchOptions& options);
// One encoder, in batches of that many; the backends take turns, and the first is called ours. What
// does not run here is said in the note. Time in microseconds is that of a whole batch.
Result encoder_speed(const Manifest& manifest, const std::vector<EncoderBackend>& backends,
                     std::size_t batch, const BenchOptions& options);

// How long an ensemble takes for one answer and for one lesson; a lesson is taken back again.
struct StepTimes {
  double predict_us = 0.0;
  double teach_us = 0.0;
};
StepTimes step_times(Ensemble& ensemble, int repetitions);

// Computed, not measured: the bytes that one step moves, divided by a device's memory bandwidth.
struct Floor {
  std::string device;
  double bandwidth = 0.0;  // bytes a second
  double predict_us = 0.0;
  double teach_us = 0.0;
};
struct StepBytes {
  std::uint64_t predict = 0;
  std::uint64_t teach = 0;
};
StepBytes step_bytes(const EnsembleSettings& settings, std::uint32_t classes);
std::vector<Floor> floors(const EnsembleSettings& settings, std::uint32_t classes);

// An ensemble in which every classifier was taught every class, as after a long stream.
std::unique_ptr<Ensemble> full_ensemble(const EnsembleSettings& settings,
                                        Device device = Device::kCpu);
// `count` admitted examples with random directions, one after the other.
std::vector<std::byte> random_examples(const Ensemble& ensemble, std::size_t count,
                                       std::uint64_t seed);

}  // namespace jackdaw::bench
