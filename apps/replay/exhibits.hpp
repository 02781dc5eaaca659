// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a report shows besides measurements: activations of two pictures, which keys answer for
// which class, a map of the embeddings. All of it from run 0, computed again, apart from the runs.
//
//   run_experiment(experiment, results);
//   add_exhibits(experiment, results);   // what is there already is not made again

#include "replay/embedding_set.hpp"
#include "replay/experiment.hpp"
#include "replay/results.hpp"

namespace jackdaw::replay {

// A map of each set of embeddings, the keys of each profile on it, and one set of activations a
// data set: of profile seed, and of the schedule lowdata, which the paper shows, where it is run.
void add_exhibits(const Experiment& experiment, Results& results);

// What add_exhibits adds. choice: an ensemble, for activations of profile seed. seed: of the head.
Activations record_activations(const EmbeddingSet& set, const Stream& stream,
                               const HeadChoice& choice, std::uint32_t batch_size,
                               std::uint64_t seed);
KeyUse count_key_use(const EmbeddingSet& set, const HeadChoice& choice, std::uint64_t seed);
EmbeddingMap draw_map(const EmbeddingSet& set);

}  // namespace jackdaw::replay
