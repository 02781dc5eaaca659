// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sub-commands of the program. Each adds itself to the command line; its work is done when the
// command line has been parsed, and throws jackdaw::Error when it fails.

#include <CLI/CLI.hpp>

namespace jackdaw::app {

void add_camera_command(CLI::App& program);
void add_plan_command(CLI::App& program);
void add_inspect_command(CLI::App& program);
void add_merge_command(CLI::App& program);
void add_bench_command(CLI::App& program);
void add_doctor_command(CLI::App& program);
void add_engine_command(CLI::App& program);
void add_replay_command(CLI::App& program);

}  // namespace jackdaw::app
