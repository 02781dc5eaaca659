// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// `jackdaw replay convert`: the official archives as class folders.
#include <cstdio>
#include <memory>

#include "jackdaw/progress.hpp"
#include "jackdaw/replay_commands.hpp"
#include "replay/convert.hpp"

namespace jackdaw::app {

void add_replay_convert_command(CLI::App& replay_command) {
  struct Options {
    std::string archive, out;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = replay_command.add_subcommand(
      "convert", "Unpack the official archives of MNIST and CIFAR into class folders");
  command
      ->add_option("archive", o->archive,
                   "cifar-10-binary.tar.gz, cifar-100-binary.tar.gz, or a folder with MNIST's four "
                   "files (train-images-idx3-ubyte.gz, ...)")
      ->required();
  command->add_option("--out", o->out, "The folder to make")->required();
  command->footer("Example: jackdaw replay convert cifar-10-binary.tar.gz --out data/cifar10");
  command->callback([o] {
    std::unique_ptr<Progress> bar;
    const replay::Converted done =
        replay::convert(o->archive, o->out, [&](std::size_t at, std::size_t total) {
          if (!bar) bar = std::make_unique<Progress>("converting", total);
          bar->set(at);
        });
    bar.reset();
    std::printf("%s: %zu classes, %zu pictures to teach and %zu to test with, in %s\n",
                done.kind.c_str(), done.classes, done.train, done.test, o->out.c_str());
  });
}

}  // namespace jackdaw::app
