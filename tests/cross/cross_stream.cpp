// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// A stream that is the same on every machine, for compare.py, which runs it on two:
//   cross_stream teach FOLDER     teaches it into a new state; prints the store and the classifiers
//   that were chosen cross_stream answer FOLDER    opens a state, whoever wrote it; prints its
//   store and answers

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jackdaw/jackdaw.hpp"
#include "jackdaw/sha256.hpp"

namespace {

using namespace jackdaw;

constexpr unsigned kClasses = 12;
constexpr unsigned kLessons = 600;
constexpr unsigned kQuestions = 100;

// Whole numbers only, so that no machine's mathematics library has a say.
class Stream {
 public:
  explicit Stream(std::uint32_t dimensions) : dimensions_(dimensions) {}
  // The class shifts some dimensions; the rest differs from example to example.
  std::vector<float> draw(unsigned label) {
    std::vector<float> embedding(dimensions_);
    for (std::uint32_t i = 0; i < dimensions_; ++i) {
      const int shift = i % kClasses == label ? 96 : 0;
      embedding[i] = static_cast<float>(static_cast<int>(next() % 256) - 128 + shift) / 64.0F;
    }
    return embedding;
  }

 private:
  std::uint32_t next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>(state_ >> 33U);
  }
  std::uint32_t dimensions_;
  std::uint64_t state_ = 7;
};

LearnerSettings settings_for(const std::string& folder) {
  LearnerSettings settings;
  settings.ensemble.dimensions = 256;
  settings.ensemble.max_classes = kClasses;
  settings.device = Device::kCpu;
  settings.folder = folder;
  settings.encoder = "cross";
  settings.refresh_in_background = false;
  return settings;
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void print_store(Ensemble& ensemble) {
  std::vector<std::byte> section(ensemble.class_section_bytes());
  for (std::uint32_t slot = 0; slot < kClasses; ++slot) {
    if (ensemble.export_class(slot, section) != Status::kOk)
      throw std::runtime_error("export_class failed");
    std::printf("store class %u %s\n", slot, sha256_hex(text_of(section)).c_str());
  }
  section.resize(ensemble.shared_section_bytes());
  if (ensemble.export_shared(section) != Status::kOk)
    throw std::runtime_error("export_shared failed");
  std::printf("store shared %s\n", sha256_hex(text_of(section)).c_str());
}

void print_chosen(Ensemble& ensemble, const std::vector<float>& embedding) {
  std::vector<std::byte> example(ensemble.example_bytes());
  std::vector<std::uint32_t> chosen(ensemble.settings().nearest);
  if (ensemble.admit(embedding, example) != Status::kOk ||
      ensemble.nearest(0, example, chosen) != Status::kOk) {
    throw std::runtime_error("nearest failed");
  }
  std::printf("chosen");
  for (const std::uint32_t one : chosen) std::printf(" %u", one);
  std::printf("\n");
}

void print_answer(Learner& learner, const std::vector<float>& embedding) {
  Answer answer = learner.make_answer();
  if (learner.predict(embedding, answer) != Status::kOk) throw std::runtime_error("predict failed");
  const RankedLabel& best = answer.best();
  std::printf("answer %s %d %.9g %.9g\n", std::string(best.label.text()).c_str(),
              answer.unknown ? 1 : 0, static_cast<double>(best.score),
              static_cast<double>(best.confidence));
}

int run(const std::string& what, const std::string& folder) {
  const LearnerSettings settings = settings_for(folder);
  auto made = make_ensemble(settings.ensemble, settings.device);
  Ensemble& ensemble = *made;
  Learner learner(settings, std::move(made));
  std::printf("backend %s\n", ensemble.backend().c_str());
  Stream stream(settings.ensemble.dimensions);
  for (unsigned i = 0; i < kLessons; ++i) {
    const std::vector<float> embedding = stream.draw(i % kClasses);
    if (what == "answer") continue;
    if (learner.teach(embedding, "thing " + std::to_string(i % kClasses)) != Status::kOk) return 1;
    print_chosen(ensemble, embedding);
  }
  if (learner.refresh() != Status::kOk) return 1;
  print_store(ensemble);
  for (unsigned i = 0; i < kQuestions; ++i) {
    const std::vector<float> embedding = stream.draw(i % kClasses);
    print_chosen(ensemble, embedding);
    print_answer(learner, embedding);
  }
  return learner.flush(30.0) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cross_stream: %s\n", error.what());
    return 1;
  }
}
