// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw engine build`: a TensorRT engine for this device.
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "jackdaw/engine_commands.hpp"
#include "jackdaw/engines/encoder_cache.hpp"
#include "jackdaw/engines/engine_build.hpp"

namespace jackdaw::app {
namespace {

struct BuildOptions {
  std::string encoder, precision = "fp16", batch = "1:1:48";
  std::uint64_t workspace = std::uint64_t{1} << 30U;
};

EngineBuildOptions parse(const BuildOptions& o) {
  EngineBuildOptions out;
  out.half = o.precision == "fp16";
  out.workspace_bytes = o.workspace;
  char rest = '\0';
  if (std::sscanf(o.batch.c_str(), "%u:%u:%u%c", &out.batch_min, &out.batch_usual, &out.batch_max,
                  &rest) != 3) {
    throw SettingsError("--batch is '" + o.batch + "'; give least:usual:most, as in 1:8:48");
  }
  return out;
}

void build(const BuildOptions& o) {
  const EngineBuildOptions options = parse(o);
  const Manifest manifest = find_encoder(o.encoder);
  if (options.half && manifest.half_file.empty()) {
    throw SettingsError(manifest.name + " has no 16-bit graph; give --precision fp32");
  }
  const bool on_terminal = ::isatty(STDERR_FILENO) == 1;
  const std::string path =
      build_engine(manifest, options, [&](double done, const std::string& step) {
        if (on_terminal) std::fprintf(stderr, "\r\033[K%3.0f %%  %s", done * 100.0, step.c_str());
        return true;
      });
  if (on_terminal) std::fprintf(stderr, "\r\033[K");
  std::printf("built %s\n", path.c_str());
}

}  // namespace

void add_engine_build_command(CLI::App& engine) {
  auto o = std::make_shared<BuildOptions>();
  CLI::App* command = engine.add_subcommand(
      "build",
      "Build an encoder's TensorRT engine for this device; done by itself where it is used");
  command->add_option("--encoder", o->encoder, "Its name, or the path of its manifest")->required();
  command->add_option("--precision", o->precision, "fp16 or fp32")
      ->check(CLI::IsMember({"fp16", "fp32"}))
      ->capture_default_str();
  command->add_option("--batch", o->batch, "Pictures at once: least:usual:most")
      ->capture_default_str();
  command->add_option("--workspace", o->workspace, "Memory the builder may use, e.g. 512MB")
      ->transform(CLI::AsSizeValue(true));
  command->footer("Example: jackdaw engine build --encoder efficientnet-lite0 --batch 1:8:48");
  command->callback([o] { build(*o); });
}

}  // namespace jackdaw::app
