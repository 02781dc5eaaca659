// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "jackdaw/error.hpp"
#include "jackdaw/head.hpp"
#include "runtime/heads/gaussian_classes.hpp"
#include "support/seed.hpp"

namespace jackdaw {
namespace {

constexpr std::uint32_t kDimensions = 40, kClasses = 5, kBatch = 12, kQuestions = 1100;

std::vector<std::unique_ptr<Head>> all_heads() {
  std::vector<std::unique_ptr<Head>> heads;
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    for (const std::uint32_t threads : {1U, 3U}) {
      EnsembleSettings s;
      s.profile = profile;
      s.classifiers = 96;
      s.nearest = 9;
      s.dimensions = kDimensions;
      s.max_classes = kClasses;
      s.max_batch = kBatch;
      s.batch_threads = threads;
      heads.push_back(make_ensemble_head(s, Device::kCpu));
    }
  }
  HeadSettings s;
  s.dimensions = kDimensions;
  s.max_classes = kClasses;
  s.max_batch = kBatch;
  s.knn.buffer_bytes = 8000;
  for (const char* name : {"ncm", "slda", "knn", "vanilla", "tanh"}) {
    heads.push_back(make_head(head_kind(name), s));
  }
  return heads;
}

TEST_CASE("prepared questions get the answers of predict, bit for bit, while the head learns") {
  testing::GaussianClasses world(testing::seed(), kClasses, kDimensions, 1.0);
  const auto train = world.draw(360);
  const auto test = world.draw(kQuestions);  // no whole number of batches or groups
  for (const auto& head : all_heads()) {
    CAPTURE(std::string(head->name()));
    const auto questions = head->prepare(test.batch(0, kQuestions));
    std::vector<float> scores(kBatch * kClasses);
    std::vector<ClassScore> answers(kQuestions * kClasses);
    for (std::size_t at = 0; at < train.count(); at += kBatch) {
      REQUIRE(head->teach(train.batch(at, kBatch), train.labels(at, kBatch)) == Status::kOk);
      if (at % (5 * kBatch) != 0) continue;
      REQUIRE(head->refresh() == Status::kOk);
      REQUIRE(questions->answer(0, answers) == Status::kOk);
      for (std::size_t first = 0; first < kQuestions; first += kBatch) {
        const std::size_t count = std::min<std::size_t>(kBatch, kQuestions - first);
        const Span<float> some(scores.data(), count * kClasses);
        REQUIRE(head->predict(test.batch(first, count), some) == Status::kOk);
        for (std::size_t i = 0; i < some.size(); ++i) {
          CHECK(std::memcmp(&some[i], &answers[first * kClasses + i].score, 4) == 0);
        }
      }
    }
    // A part of them, from the middle.
    std::vector<ClassScore> part(20 * kClasses);
    REQUIRE(questions->answer(0, answers) == Status::kOk);
    REQUIRE(questions->answer(1017, part) == Status::kOk);
    CHECK(std::memcmp(part.data(), answers.data() + 1017 * kClasses,
                      part.size() * sizeof(ClassScore)) == 0);
    CHECK(questions->answer(kQuestions - 19, part) == Status::kWrongSize);
    CHECK(questions->answer(0, Span<ClassScore>(part).first(7)) == Status::kWrongSize);
  }
}

TEST_CASE(
    "prepared questions notice every change of a class: lessons, undoing, closing, importing") {
  testing::GaussianClasses world(testing::seed() + 1, kClasses, kDimensions, 1.0);
  const auto drawn = world.draw(60);
  for (const Profile profile : {Profile::kDefault, Profile::kSeed}) {
    EnsembleSettings s;
    s.profile = profile;
    s.classifiers = 64;
    s.nearest = 6;
    s.dimensions = kDimensions;
    s.max_classes = kClasses;
    s.max_batch = kBatch;
    const auto ensemble = make_ensemble(s, Device::kCpu);
    std::vector<std::byte> examples(60 * ensemble->example_bytes());
    REQUIRE(ensemble->admit_batch(drawn.batch(0, 60), examples) == Status::kOk);
    const auto example = [&](std::size_t i) {
      return Span<const std::byte>(examples).subspan(i * ensemble->example_bytes(),
                                                     ensemble->example_bytes());
    };
    const auto questions = ensemble->prepare(examples);
    std::vector<ClassScore> prepared(60 * kClasses), plain(kClasses);
    const auto same = [&] {
      REQUIRE(ensemble->refresh() == Status::kOk);
      for (int twice = 0; twice < 2; ++twice) {  // the second time nothing has changed
        REQUIRE(questions->answer(0, prepared) == Status::kOk);
        for (std::size_t i = 0; i < 60; ++i) {
          REQUIRE(ensemble->predict(0, example(i), plain) == Status::kOk);
          for (std::size_t c = 0; c < kClasses; ++c) {
            REQUIRE(plain[c].score == prepared[i * kClasses + c].score);
            REQUIRE(plain[c].typicality == prepared[i * kClasses + c].typicality);
          }
        }
      }
    };
    same();
    for (std::uint32_t slot = 0; slot < kClasses; ++slot) {
      REQUIRE(ensemble->open_slot(slot) == Status::kOk);
      same();
      REQUIRE(ensemble->teach(example(slot), slot, Part::kBoth) == Status::kOk);
      same();
    }
    std::vector<std::byte> section(ensemble->class_section_bytes());
    REQUIRE(ensemble->export_class(2, section) == Status::kOk);
    const std::uint32_t twice[] = {2, 2};
    REQUIRE(ensemble->teach_batch(
                Span<const std::byte>(examples).first(2 * ensemble->example_bytes()), twice) ==
            Status::kOk);
    same();
    REQUIRE(ensemble->unteach(example(3), 3, Part::kBoth) == Status::kOk);
    same();
    REQUIRE(ensemble->close_class(1) == Status::kOk);
    same();
    REQUIRE(ensemble->import_class(2, section) == Status::kOk);
    same();
    REQUIRE(ensemble->open_slot(1) == Status::kOk);
    same();
  }
}

TEST_CASE("questions that the ensemble would refuse are refused when they are prepared") {
  EnsembleSettings s;
  s.classifiers = 16;
  s.nearest = 2;
  s.dimensions = 4;
  s.max_classes = 2;
  const auto head = make_ensemble_head(s, Device::kCpu);
  std::vector<float> z(12, 1.0F);
  CHECK_NOTHROW(head->prepare(z));
  z[5] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(head->prepare(z), SettingsError);
  CHECK_THROWS_AS(head->prepare(Span<const float>(z).first(7)), SettingsError);
}

}  // namespace
}  // namespace jackdaw
