// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Results of several calls as one: a long series of benchmarks need not be run in one go, nor on
// one machine.
//
//   Results all = merge_results({read_results("mnist.json"), read_results("cifar10.json")});

#include <vector>

#include "replay/results.hpp"

namespace jackdaw::replay {

// Rows in the order given. Throws SettingsError if two hold the same row, or rows that do not
// belong beside each other: another seed, other numbers of runs, an encoder or data of the same
// name that are not the same. What was different is noted (commands, machines, versions).
Results merge_results(std::vector<Results> parts);

// By their contents; where one does not know them, by the numbers of pictures.
bool same_pictures(const DataInfo& a, const DataInfo& b);

}  // namespace jackdaw::replay
