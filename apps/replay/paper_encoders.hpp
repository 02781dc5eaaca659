// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which encoder stands where in `paper`. A calibration is never one that saw the data it is used
// on.

#include "replay/paper.hpp"

namespace jackdaw::replay {

// mnist: every vae-omniglot there is, which take turns; CIFAR: `wanted`, or the first there is of
// the usual ones. Empty: none is there.
std::vector<std::string> raw_encoders(const PaperOptions& options, const std::string& data,
                                      const std::string& wanted);

// "resnet50-sscd-views": another encoder that looks at each picture twice.
bool looks_twice(const std::string& name);

// A calibrated version of each of `raw`, the one with the most numbers, or, where its licence
// allows no calibration, the one that looks twice; where one has neither, all of `raw` as they are.
std::vector<std::string> calibrated_encoders(const PaperOptions& options, const std::string& data,
                                             const std::vector<std::string>& raw);

}  // namespace jackdaw::replay
