// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// "Unknown" on real images: some of MNIST's ten digits are taught, all ten are asked. The encoder
// is as plain as can be (unknown_mnist.py), so that no other part of Jackdaw is needed.
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "runtime/learner/learner_support.hpp"
#include "runtime/learner/unknown_measure.hpp"
#include "support/data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

extern char** environ;

namespace jackdaw::testing {
namespace {

constexpr std::size_t kTrain = 120;
constexpr std::size_t kTest = 100;
constexpr std::size_t kDimensions = 256;

int run(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0)
    return 127;
  int status = 0;
  if (::waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 126;
  return WEXITSTATUS(status);
}

class Digits {
 public:
  Digits(const std::string& file, std::size_t each)
      : each_(each), values_(10 * each * kDimensions) {
    std::ifstream in(file, std::ios::binary);
    in.read(reinterpret_cast<char*>(values_.data()),
            static_cast<std::streamsize>(values_.size() * sizeof(float)));
    REQUIRE(in.good());
  }
  std::vector<float> at(std::size_t digit, std::size_t i) const {
    const auto begin =
        values_.begin() + static_cast<std::ptrdiff_t>((digit * each_ + i) * kDimensions);
    return {begin, begin + kDimensions};
  }

 private:
  std::size_t each_;
  std::vector<float> values_;
};

// Over five choices of the digits that are taught, so that every digit is taught and left out.
std::array<double, 3> measure(const Digits& train, const Digits& test, std::size_t taught,
                              std::size_t examples) {
  double auroc = 0.0;
  double error = 0.0;
  double accuracy = 0.0;
  for (std::size_t first = 0; first < 10; first += 2) {
    LearnerSettings settings;
    settings.ensemble.dimensions = kDimensions;
    settings.ensemble.max_classes = 10;
    settings.device = Device::kCpu;
    settings.refresh_in_background = false;
    Learner learner(settings);
    for (std::size_t i = 0; i < examples; ++i) {
      for (std::size_t k = 0; k < taught; ++k) {
        const std::size_t digit = (first + k) % 10;
        REQUIRE(learner.teach(train.at(digit, i), World::name(digit)) == Status::kOk);
      }
    }
    REQUIRE(learner.refresh() == Status::kOk);
    UnknownMeasure measured;
    for (std::size_t digit = 0; digit < 10; ++digit) {
      const bool known = (digit + 10 - first) % 10 < taught;
      for (std::size_t i = 0; i < kTest; ++i) {
        measured.add(answer_of(learner, test.at(digit, i)),
                     known ? World::name(digit) : std::string());
      }
    }
    auroc += measured.auroc() / 5;
    error += measured.balanced_error() / 5;
    accuracy += measured.accuracy() / 5;
  }
  MESSAGE("MNIST, " << taught << " of 10 digits, " << examples << " examples each: AUROC " << auroc
                    << ", balanced error " << error << ", accuracy " << accuracy);
  return {auroc, error, accuracy};
}

TEST_SUITE("slow") {
  TEST_CASE("Digits that were never taught are told from digits that were") {
    const auto mnist = data_folder("mnist");
    const auto omniglot = data_folder("omniglot");
    if (!mnist || !omniglot) return;
    TemporaryFolder folder;
    const std::string out = folder.path("embeddings");
    std::filesystem::create_directory(out);
    int code = 77;
    for (const char* python :
         {"python3", "/usr/bin/python3"}) {  // Debian's packages are the latter's
      if (code != 0)
        code = run({python, JACKDAW_EMBED_DIGITS, mnist->string(), omniglot->string(), out,
                    std::to_string(kTrain), std::to_string(kTest)});
    }
    if (code == 77)
      return skip("python3 has no NumPy or Pillow; install python3-numpy and python3-pil");
    REQUIRE(code == 0);
    const Digits train(out + "/train.f32", kTrain);
    const Digits test(out + "/test.f32", kTest);
    const auto few = measure(train, test, 2, 5);
    const auto more = measure(train, test, 2, 60);
    const auto five = measure(train, test, 5, 100);
    // Measured: AUROC 0.735, 0.869 and 0.809; balanced error 0.33, 0.21 and 0.26.
    CHECK(few[0] >= 0.71);
    CHECK(more[0] >= 0.85);
    CHECK(five[0] >= 0.79);
    CHECK(few[1] <= 0.36);
    CHECK(more[1] <= 0.23);
    CHECK(five[1] <= 0.28);
    CHECK(few[2] >= 0.80);
    CHECK(more[2] >= 0.94);
    CHECK(five[2] >= 0.89);
  }
}

}  // namespace
}  // namespace jackdaw::testing
