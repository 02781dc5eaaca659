// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the library logged. The test program collects it from the start; nothing fails by it.
//
//   (void)take_log();                    // forget what came before
//   make_ensemble(settings);
//   CHECK(take_log().size() == 1);

#include <string>
#include <vector>

#include "jackdaw/log.hpp"

namespace jackdaw::testing {

struct LogEntry {
  LogLevel level;
  std::string text;
};

// Everything since the last call, in order. From any thread.
std::vector<LogEntry> take_log();

}  // namespace jackdaw::testing
