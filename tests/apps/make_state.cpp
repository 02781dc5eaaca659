// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Makes a small state folder for the tests of the command line:
//   make_state FOLDER ENCODER LABEL=COUNT...

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <random>
#include <string>

#include "jackdaw/jackdaw.hpp"

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    jackdaw::LearnerSettings settings;
    settings.ensemble.classifiers = 64;
    settings.ensemble.nearest = 8;
    settings.ensemble.dimensions = 24;
    settings.ensemble.max_classes = 6;
    settings.device = jackdaw::Device::kCpu;
    settings.folder = argv[1];
    settings.encoder = argv[2];
    jackdaw::Learner learner(settings);
    std::normal_distribution<float> normal;
    for (int arg = 3; arg < argc; ++arg) {
      const std::string text = argv[arg];
      const std::size_t equals = text.find('=');
      const std::string label = text.substr(0, equals);
      std::mt19937 random(static_cast<unsigned>(std::hash<std::string>{}(text)));
      std::vector<float> embedding(settings.ensemble.dimensions);
      for (int count = std::atoi(text.c_str() + equals + 1); count > 0; --count) {
        for (float& value : embedding) value = normal(random);
        if (learner.teach(embedding, label) != jackdaw::Status::kOk) return 1;
      }
    }
    return learner.flush(10.0) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_state: %s\n", error.what());
    return 1;
  }
}
