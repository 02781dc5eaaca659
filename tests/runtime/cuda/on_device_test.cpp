// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// Embeddings that are in the GPU's memory already: the same answers, examples and files as when
// they come through the host.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "ensemble_pair.hpp"
#include "jackdaw/error.hpp"
#include "jackdaw/learner.hpp"
#include "scenarios.hpp"
#include "support/log.hpp"
#include "support/seed.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw {
namespace {

EnsembleSettings small(Profile profile) {
  EnsembleSettings s = settings_for(profile, StoreType::kInt16, {40, 9, 35, 5});
  s.contexts = 2;
  return s;
}

// An encoder's memory. What show() gives is not there before the event is waited for.
class Encoder {
 public:
  Encoder(emulation::EmulatedGpu& gpu, std::uint32_t d, std::uint64_t seed)
      : source_(seed), memory_(d) {
    gpu.on_event([this](void* event) {
      CHECK(event == this);
      memory_.assign(embedding);
    });
  }

  DeviceEmbedding show(std::vector<float> what) {
    embedding = std::move(what);
    memory_.fill(1.0F);
    return {memory_.data(), memory_.size(), this};
  }
  DeviceEmbedding show(std::uint64_t cluster) {
    std::mt19937_64 centre(cluster);
    std::normal_distribution<float> normal;
    std::vector<float> z(memory_.size());
    for (float& value : z) value = normal(centre) + 0.3F * normal(source_);
    return show(z);
  }

  std::vector<float> embedding;

 private:
  std::mt19937_64 source_;
  emulation::Buffer<float> memory_;
};

void check_same(const std::vector<ClassScore>& a, const std::vector<ClassScore>& b) {
  CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(ClassScore)) == 0);
}

// How many of 20 answers are another than the CPU's.
int wrong_answers(Profile profile, bool ordered) {
  Pair pair(small(profile), testing::seed());
  Encoder encoder(*pair.emulated, 35, testing::seed());
  std::uint32_t slot = 0;
  for (int c = 0; c < 3; ++c) pair.both([&](Ensemble& e) { return e.open_class(slot); });
  for (std::uint32_t i = 0; i < 9; ++i) {
    const auto x = pair.example(i % 3);
    pair.both([&](Ensemble& e) { return e.teach(x, i % 3, Part::kBoth); });
  }
  const unsigned allocations = pair.emulated->allocations();
  if (!ordered) pair.emulated->ignore_order();
  int wrong = 0;
  std::vector<std::byte> example(pair.cpu().example_bytes()), admitted(example.size());
  std::vector<ClassScore> expected(5), scores(5);
  for (std::uint32_t i = 0; i < 20; ++i) {
    const DeviceEmbedding z = encoder.show(i % 4);
    REQUIRE(pair.cpu().admit(encoder.embedding, example) == Status::kOk);
    REQUIRE(pair.cpu().predict(0, example, expected) == Status::kOk);
    REQUIRE(pair.gpu().predict_on_device(i % 2, z, scores) == Status::kOk);
    REQUIRE(pair.gpu().admit_on_device(encoder.show(encoder.embedding), admitted) == Status::kOk);
    const bool same = std::memcmp(scores.data(), expected.data(), 5 * sizeof(ClassScore)) == 0 &&
                      admitted == example;
    wrong += same ? 0 : 1;
  }
  CHECK(pair.emulated->allocations() == allocations);
  for (const std::string& fault : pair.emulated->faults()) FAIL_CHECK(fault);
  return wrong;
}

LearnerSettings learner_settings(Profile profile, const std::string& folder) {
  LearnerSettings settings;
  settings.ensemble = small(profile);
  settings.device = Device::kCpu;
  settings.refresh_in_background = false;
  settings.folder = folder;
  return settings;
}

}  // namespace

TEST_CASE("on the device: answers and examples have the CPU's bits") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(name_of(profile));
    CHECK(wrong_answers(profile, true) == 0);
  }
}

TEST_CASE("on the device: without waiting for the encoder the check above fails") {
  CHECK(wrong_answers(Profile::kDefault, false) > 0);
}

TEST_CASE("on the device: what is wrong is refused, and nothing is left of it") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    Pair pair(small(profile), 4);
    Encoder encoder(*pair.emulated, 35, 4);
    std::vector<std::byte> example(pair.gpu().example_bytes());
    std::vector<ClassScore> scores(5);
    const auto both = [&](const DeviceEmbedding& z) {
      const Status status = pair.gpu().predict_on_device(0, z, scores);
      CHECK(pair.gpu().admit_on_device(z, example) == status);
      return status;
    };
    std::vector<float> z(35, 1.0F);
    z[3] = std::numeric_limits<float>::quiet_NaN();
    CHECK(both(encoder.show(z)) == Status::kNotFinite);
    z[3] = std::numeric_limits<float>::infinity();
    CHECK(both(encoder.show(z)) == Status::kNotFinite);
    CHECK(both(encoder.show(std::vector<float>(35))) == Status::kZeroEmbedding);
    DeviceEmbedding shorter = encoder.show(1);
    shorter.size = 34;
    CHECK(both(shorter) == Status::kWrongSize);
    CHECK(both(encoder.show(1)) == Status::kOk);
    const DeviceEmbedding good = encoder.show(1);
    CHECK(pair.gpu().predict_on_device(2, good, scores) == Status::kWrongSize);
    CHECK(pair.gpu().predict_on_device(0, good, Span<ClassScore>(scores).first(4)) ==
          Status::kWrongSize);
    CHECK(pair.gpu().admit_on_device(good, Span<std::byte>(example).first(3)) ==
          Status::kWrongSize);
    CHECK_FALSE(pair.cpu().on_device());
    CHECK(pair.cpu().predict_on_device(0, good, scores) == Status::kDeviceFailed);
    CHECK(pair.cpu().admit_on_device(good, example) == Status::kDeviceFailed);
    for (const std::string& fault : pair.emulated->faults()) FAIL_CHECK(fault);
  }
}

TEST_CASE("on the device: whichever call fails, it is reported and nothing is thrown") {
  for (int call = 1; call <= 4; ++call) {
    CAPTURE(call);
    for (const bool answer : {true, false}) {
      Pair pair(small(Profile::kDefault), 5);
      Encoder encoder(*pair.emulated, 35, 5);
      std::vector<std::byte> example(pair.gpu().example_bytes());
      std::vector<ClassScore> scores(5);
      (void)testing::take_log();
      pair.emulated->fail_at(call);
      const DeviceEmbedding z = encoder.show(1);
      CHECK((answer ? pair.gpu().predict_on_device(0, z, scores)
                    : pair.gpu().admit_on_device(z, example)) == Status::kDeviceFailed);
      CHECK(testing::take_log().size() == 1);
    }
  }
}

TEST_CASE("on the device: a learner learns, answers and keeps the same") {
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    CAPTURE(name_of(profile));
    const testing::TemporaryFolder folder;
    emulation::set_schedule(testing::seed());
    auto gpu = std::make_unique<emulation::EmulatedGpu>(testing::seed());
    Encoder encoder(*gpu, 35, testing::seed());
    emulation::EmulatedGpu* const watched = gpu.get();
    Learner cpu(learner_settings(profile, ""));
    {
      const LearnerSettings settings = learner_settings(profile, folder.path("state"));
      Learner learner(settings, cuda::make_gpu_ensemble(settings.ensemble, {}, std::move(gpu)));
      Answer answer = learner.make_answer(), expected = cpu.make_answer();
      const char* const names[] = {"mug", "cup", "jug"};
      for (std::uint32_t i = 0; i < 24; ++i) {
        const char* const name = names[i % 3];
        REQUIRE(learner.teach_on_device(encoder.show(i % 3), name) == Status::kOk);
        REQUIRE(cpu.teach(encoder.embedding, name) == Status::kOk);
        if (i % 8 == 7) {
          CHECK(learner.undo(1) == Status::kOk);
          CHECK(cpu.undo(1) == Status::kOk);
          CHECK(learner.refresh() == cpu.refresh());
        }
        REQUIRE(learner.predict_on_device(encoder.show((i + 1) % 4), answer, i % 2) == Status::kOk);
        REQUIRE(cpu.predict(encoder.embedding, expected) == Status::kOk);
        check_same(answer.scores, expected.scores);
        REQUIRE(answer.ranked.size() == expected.ranked.size());
        CHECK(answer.best().label.text() == expected.best().label.text());
        CHECK(answer.unknown == expected.unknown);
      }
      const DeviceEmbedding zero = encoder.show(std::vector<float>(35));
      CHECK(learner.teach_on_device(zero, "mug") == Status::kZeroEmbedding);
      CHECK(learner.predict_on_device(zero, answer) == Status::kZeroEmbedding);
      CHECK(answer.ranked.empty());
      CHECK(cpu.teach_on_device(zero, "mug") == Status::kDeviceFailed);
      CHECK(cpu.predict_on_device(zero, answer) == Status::kDeviceFailed);
      for (const std::string& fault : watched->faults()) FAIL_CHECK(fault);
    }
    // The journal holds the very bytes: a CPU makes the same of it.
    Learner again(learner_settings(profile, folder.path("state")));
    for (std::uint32_t slot = 0; slot < 3; ++slot) {
      std::vector<std::byte> ours(cpu.ensemble().class_section_bytes()), theirs(ours.size());
      REQUIRE(const_cast<Ensemble&>(cpu.ensemble()).export_class(slot, ours) == Status::kOk);
      REQUIRE(const_cast<Ensemble&>(again.ensemble()).export_class(slot, theirs) == Status::kOk);
      CHECK(ours == theirs);
    }
  }
}

TEST_CASE("on the device: an ensemble of another size than the learner's is refused") {
  const LearnerSettings settings = learner_settings(Profile::kDefault, "");
  EnsembleSettings other = settings.ensemble;
  other.max_classes = 6;
  CHECK_THROWS_AS(Learner(settings, make_ensemble(other, Device::kCpu)), SettingsError);
  CHECK_NOTHROW(Learner(settings, make_ensemble(settings.ensemble, Device::kCpu)));
}

}  // namespace jackdaw
