// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The embeddings of a calibrated encoder from those of the encoder it was made of: its last layer,
// applied here. So pictures are encoded once for all calibrations of an encoder.
//
//   EmbeddingSet set = calibrate_set(raw, read_calibration(file), "resnet50-augnet@cifar100-512");
//
// The same bits on every machine. They are not those of the folded graph, whose sums have another
// order (a difference of about 1e-7 of the embedding's length).

#include <string>

#include "jackdaw/engines/calibration.hpp"
#include "replay/embedding_set.hpp"

namespace jackdaw::replay {

// Throws SettingsError if the calibration is of another number of features.
EmbeddingSet calibrate_set(const EmbeddingSet& raw, const Calibration& calibration,
                           const std::string& name);

}  // namespace jackdaw::replay
