// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

// What tells the demo's things apart: not their colours, but what an encoder sees of them. Each is
// taught by the first two seconds in which it is shown, one after the other, and asked about in the
// minute after; as a user does it.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <opencv2/imgproc.hpp>

#include "engines/real_pictures.hpp"
#include "jackdaw/learner.hpp"
#include "live/source/demo/scene.hpp"
#include "live/source/frame_of.hpp"
#include "support/seed.hpp"

namespace jackdaw::live {
namespace {

constexpr std::uint64_t kTaught = 60;  // frames: two seconds

// Calls taught(thing, picture) for the first frames of each thing, and then asked(thing, picture)
// for every so many-th of the frames of a minute.
template <class Taught, class Asked>
void run_demo(std::uint64_t every, const Taught& taught, const Asked& asked) {
  demo::SceneSettings settings;
  settings.hold = 3.0;
  settings.seed = jackdaw::testing::seed() % 1000;
  demo::Scene scene(settings);
  std::map<std::string, std::uint64_t> count;
  cv::Mat picture;
  const std::size_t things = demo::thing_names().size();
  std::uint64_t number = 1, complete = 0;
  for (; complete < things; ++number) {
    const std::string name = scene.draw(number, picture);
    if (name.empty() || count[name] >= kTaught) continue;
    taught(name, picture);
    if (++count[name] == kTaught) ++complete;
  }
  for (const std::uint64_t end = number + 60 * 30; number < end; number += every) {
    const std::string name = scene.draw(number, picture);
    if (!name.empty()) asked(name, picture);
  }
}

using Vector = std::vector<double>;

class NearestMean {
 public:
  void teach(const std::string& name, const Vector& vector) {
    auto& [sum, count] = sums_[name];
    sum.resize(vector.size());
    for (std::size_t i = 0; i < vector.size(); ++i) sum[i] += vector[i];
    ++count;
  }
  std::string nearest(const Vector& vector) const {
    std::string best;
    double least = std::numeric_limits<double>::max();
    for (const auto& [name, entry] : sums_) {
      double distance = 0.0;
      for (std::size_t i = 0; i < vector.size(); ++i) {
        const double d = vector[i] - entry.first[i] / entry.second;
        distance += d * d;
      }
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    return best;
  }

 private:
  std::map<std::string, std::pair<Vector, double>> sums_;
};

// 8x8x8 bins, each channel's range in eighths; the roots, so that the wall does not count for all.
Vector histogram(const cv::Mat& bgr, bool hsv, bool middle_only) {
  cv::Mat picture = middle_only ? bgr(cv::Rect(160, 90, 320, 340)) : bgr;
  cv::Mat converted;
  if (hsv) cv::cvtColor(picture, converted, cv::COLOR_BGR2HSV);
  const cv::Mat& from = hsv ? converted : picture;
  Vector bins(512);
  for (int y = 0; y < from.rows; ++y) {
    for (int x = 0; x < from.cols; ++x) {
      const cv::Vec3b& p = from.at<cv::Vec3b>(y, x);
      const int first = hsv ? std::min(p[0] * 8 / 180, 7) : p[0] / 32;
      bins[static_cast<std::size_t>((first * 8 + p[1] / 32) * 8 + p[2] / 32)] += 1.0;
    }
  }
  for (double& bin : bins) bin = std::sqrt(bin / static_cast<double>(from.total()));
  return bins;
}

}  // namespace

TEST_CASE("colours do not tell the demo's things apart") {
  struct Kind {
    const char* name;
    bool hsv, middle_only;
    NearestMean means{};
    double right = 0;
  };
  std::vector<Kind> kinds{{"RGB", false, false},
                          {"HSV", true, false},
                          {"RGB, the picture's middle only", false, true},
                          {"HSV, the picture's middle only", true, true}};
  double asked = 0;
  run_demo(
      6,
      [&](const std::string& name, const cv::Mat& picture) {
        for (Kind& kind : kinds) {
          kind.means.teach(name, histogram(picture, kind.hsv, kind.middle_only));
        }
      },
      [&](const std::string& name, const cv::Mat& picture) {
        for (Kind& kind : kinds) {
          const Vector bins = histogram(picture, kind.hsv, kind.middle_only);
          kind.right += kind.means.nearest(bins) == name ? 1 : 0;
        }
        ++asked;
      });
  for (const Kind& kind : kinds) {
    MESSAGE("histograms of " << std::string(kind.name) << ": " << 100 * kind.right / asked
                             << " % of " << asked);
    CHECK(kind.right / asked < 0.70);
  }
}

TEST_CASE("an encoder tells the demo's things apart after two seconds each" *
          doctest::test_suite("encoder")) {
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
