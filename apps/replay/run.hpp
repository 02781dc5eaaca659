// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One run: a head is taught a stream and asked about the whole test split every few batches.

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "replay/embedding_set.hpp"
#include "replay/head_choice.hpp"
#include "replay/stream.hpp"

namespace jackdaw::replay {

struct RunOptions {
  std::uint32_t evaluate_every = 10;  // batches; also after the last
  std::uint32_t batch_size = 48;      // the most examples in one step
  std::uint64_t seed = 0;             // of the head: keys, initial weights
  std::uint32_t threads = 1;          // that share the head's work; changes no result
};

struct RunUnknown {
  double auroc = 0.5;
  std::uint32_t taught = 0, untaught = 0, batch = 0;
};

struct RunResult {
  std::vector<std::uint32_t> batches;           // taught before each evaluation
  std::vector<std::vector<double>> accuracies;  // [evaluation][class], percent
  std::vector<std::uint32_t> taught;            // [class] examples
  std::vector<std::uint32_t> predictions;       // [test picture] after the stream
  std::optional<RunUnknown> unknown;
  double calibration_error = 0.0;
  double teach_seconds = 0.0, predict_seconds = 0.0;
  std::uint64_t lessons = 0, answers = 0;
  std::uint64_t memory_bytes = 0;
};

// Throws Error if the head refuses a picture, naming its place in the split, or *stop became true.
RunResult run(const EmbeddingSet& set, const Stream& stream, const HeadChoice& choice,
              const RunOptions& options, const std::atomic<bool>* stop = nullptr);

}  // namespace jackdaw::replay
