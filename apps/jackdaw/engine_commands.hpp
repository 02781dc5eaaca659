// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The longer ones of `jackdaw engine ...`, a file each.

#include <CLI/CLI.hpp>

namespace jackdaw::app {

void add_engine_get_command(CLI::App& engine);
void add_engine_build_command(CLI::App& engine);
void add_engine_calibrate_command(CLI::App& engine);

}  // namespace jackdaw::app
