// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "jackdaw/commands.hpp"
#include "jackdaw/engines/engine_build.hpp"
#include "jackdaw/format.hpp"
#include "jackdaw/jackdaw.hpp"
#include "jackdaw/version.hpp"
#include "live/source/source.hpp"

namespace {

constexpr int kFailed = 1;
constexpr int kCalledWrongly = 2;

void log_to_stderr(jackdaw::LogLevel level, const char* text) {
  const char* mark = level == jackdaw::LogLevel::kError     ? "error: "
                     : level == jackdaw::LogLevel::kWarning ? "warning: "
                                                            : "";
  std::fprintf(stderr, "jackdaw: %s%s\n", mark, text);
}

bool has_command(const CLI::App& program, const std::string& name) {
  const auto commands = program.get_subcommands(nullptr);
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->check_name(name); });
}

}  // namespace

int main(int argc, char** argv) {
  jackdaw::set_log(log_to_stderr);
  // A process that this program starts itself: see jackdaw/engines/engine_build.hpp.
  if (argc > 1 && argv[1] == std::string(jackdaw::kEngineBuildCommand)) {
    return jackdaw::engine_build_process({argv + 2, argv + argc});
  }
  // Likewise: see live/source/source.hpp.
  if (argc > 1 && argv[1] == std::string(jackdaw::live::kCaptureCommand)) {
    return jackdaw::live::capture_process({argv + 2, argv + argc});
  }
  CLI::App program{"Learns new object classes on the device, one at a time, without forgetting.",
                   "jackdaw"};
  program.set_version_flag("--version", std::string("jackdaw ") + jackdaw::kVersion);
  program.require_subcommand(1);
  program.footer(
      "Example: jackdaw plan --classes 100 --dim 256\n'jackdaw COMMAND --help' tells more.");
  jackdaw::app::add_camera_command(program);
  jackdaw::app::add_plan_command(program);
  jackdaw::app::add_inspect_command(program);
  jackdaw::app::add_merge_command(program);
  jackdaw::app::add_engine_command(program);
  jackdaw::app::add_replay_command(program);
  jackdaw::app::add_bench_command(program);
  jackdaw::app::add_doctor_command(program);
  // CLI11 would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-' && !has_command(program, argv[1])) {
    std::fprintf(stderr, "jackdaw: there is no command '%s'; 'jackdaw --help' lists them\n",
                 argv[1]);
    return kCalledWrongly;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? 0 : kCalledWrongly;
  } catch (const jackdaw::SettingsError& error) {
    jackdaw::app::say(error.what());
    return kCalledWrongly;
  } catch (const std::exception& error) {
    jackdaw::app::say(error.what());
    return kFailed;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    std::fprintf(stderr, "jackdaw: not all that was printed could be written: %s\n",
                 std::strerror(errno));
    return kFailed;
  }
  return 0;
}
