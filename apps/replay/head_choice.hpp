// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which head a row is about, and making one for a run.
//
//   HeadChoice choice{"ensemble", settings};
//   auto head = make_run_head(choice, dimensions, classes, batch_size, seed, threads);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "jackdaw/head.hpp"
#include "replay/metrics.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

struct HeadChoice {
  std::string name;           // "ensemble", "ncm", "slda", "knn", "vanilla", "tanh"
  EnsembleSettings ensemble;  // n, k, tau, store, profile; sizes are filled in for each run. For
                              // the other heads: the ensemble they are compared with
  HeadSettings other;         // rules of the other heads
  std::string label;          // see Row::label
  bool sign_lessons = false;  // it is taught the signs of the embeddings only, and asked as usual
};

// Throws SettingsError for a name that is none of them.
void check_head(const std::string& name);

// What a row's settings are, for embeddings of these sizes.
RowSettings row_settings(const HeadChoice& choice, std::uint32_t dimensions, std::uint32_t classes,
                         std::uint32_t batch_size);

// threads: that share the head's batches; the answers are the same for any number. knn gets as many
// bytes as the rows and statistics of the ensemble in choice.ensemble.
std::unique_ptr<Head> make_run_head(const HeadChoice& choice, std::uint32_t dimensions,
                                    std::uint32_t classes, std::uint32_t batch_size,
                                    std::uint64_t seed, std::uint32_t threads);

Confidence confidence_rule(const HeadChoice& choice);
float confidence_scale(const HeadChoice& choice);

}  // namespace jackdaw::replay
