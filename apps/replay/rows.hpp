// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the runs of one head on the same streams to a row of the results.

#include <vector>

#include "replay/run.hpp"

namespace jackdaw::replay {

// tasks: [run], of the stream it was taught. Fills all that comes from runs, and the class names.
void fill_row(Row& row, const std::vector<std::string>& classes, const std::vector<RunResult>& runs,
              const std::vector<std::vector<std::vector<std::uint32_t>>>& tasks);

}  // namespace jackdaw::replay
