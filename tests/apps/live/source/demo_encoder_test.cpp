// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// The demo's things are told apart by what the default encoder sees of them.

#include <doctest/doctest.h>

#include <cmath>

#include "apps/live/source/demo_lesson.hpp"
#include "engines/real_pictures.hpp"
#include "jackdaw/learner.hpp"
#include "live/source/frame_of.hpp"

namespace jackdaw::live {

TEST_CASE("an encoder tells the demo's things apart after two seconds each") {
  const auto manifest = jackdaw::testing::ready_encoder("efficientnet-lite0@cifar100-256");
  if (!manifest) return;
  const auto encoder = jackdaw::testing::open_or_skip(*manifest, EncoderBackend::kAuto);
  if (!encoder) return;
  LearnerSettings settings;
  settings.ensemble.dimensions = manifest->output_size;
  settings.ensemble.max_classes = 16;
  settings.answer.unknown_below = -1000.0F;
  Learner learner(settings);
  NearestMean means;
  Answer answer = learner.make_answer();
  std::vector<float> embedding(manifest->output_size);
  const auto encode = [&](const cv::Mat& picture) {
    const FrameView view = frame_of(picture);
    REQUIRE(encoder->encode({&view, 1}, embedding) == Status::kOk);
    double norm = 0.0;
    for (const float v : embedding) norm += static_cast<double>(v) * static_cast<double>(v);
    Vector unit(embedding.begin(), embedding.end());
    for (double& v : unit) v /= std::sqrt(norm);
    return unit;
  };
  double learner_right = 0, mean_right = 0, asked = 0;
  std::map<std::string, int> mistakes;
  bool refreshed = false;
  run_demo(
      3,
      [&](const std::string& name, const cv::Mat& picture) {
        means.teach(name, encode(picture));
        REQUIRE(learner.teach(embedding, name) == Status::kOk);
      },
      [&](const std::string& name, const cv::Mat& picture) {
        if (!refreshed) REQUIRE(learner.refresh() == Status::kOk);
        refreshed = true;
        mean_right += means.nearest(encode(picture)) == name ? 1 : 0;
        REQUIRE(learner.predict(embedding, answer) == Status::kOk);
        const std::string said(answer.best().label.text());
        learner_right += said == name ? 1 : 0;
        if (said != name) ++mistakes[name + " taken for " + said];
        ++asked;
      });
  for (const auto& [what, times] : mistakes) MESSAGE(what << ": " << times);
  MESSAGE("learner " << 100 * learner_right / asked << " %, nearest class mean "
                     << 100 * mean_right / asked << " % of " << asked);
  CHECK(learner_right / asked > 0.97);
}

}  // namespace jackdaw::live
