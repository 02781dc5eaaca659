// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How often streams were tested. Forgetting is a maximum over the tests, so it cannot be read
// without it, nor compared between streams that were tested more and less often.

#include <string>
#include <vector>

#include "replay/results.hpp"

namespace jackdaw::replay {

// In batches; 0 if the row names no stream.
std::uint32_t test_interval(const Results& results, const Row& row);

// Then nothing can have been forgotten: the best test is the last.
bool tested_once(const Row& row);

// "10", or "10 (main, few), 50 (ablation)" where the groups of these rows differ.
std::string test_intervals(const Results& results, const std::vector<const Row*>& rows);

}  // namespace jackdaw::replay
