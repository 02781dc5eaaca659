// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/demo_source.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <set>
#include <thread>

#include "jackdaw/error.hpp"
#include "live/steady_clock.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

DemoSource opened(const std::string& uri, SourceOptions options = {}) {
  return {parse_source_uri(uri), options};
}

bool equal(const cv::Mat& a, const cv::Mat& b) { return cv::norm(a, b, cv::NORM_INF) == 0.0; }

// Mean difference of two pictures, of 255.
double difference(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a, b, cv::NORM_L1) / static_cast<double>(a.total() * 3);
}

}  // namespace

TEST_CASE("a frame follows from its number and the seed") {
  demo::SceneSettings settings;
  demo::Scene first(settings), second(settings);
  settings.seed = 2;
  demo::Scene other(settings);
  cv::Mat a, b;
  for (const std::uint64_t number : {1U, 77U, 5000U, 78U, 1U}) {
    CHECK(first.draw(number, a) == second.draw(number, b));
    CHECK(equal(a, b));
    other.draw(number, b);
    CHECK_FALSE(equal(a, b));
  }
  CHECK(a.size() == cv::Size(640, 480));
}

TEST_CASE("each thing changes the picture, and no two alike") {
  demo::Scene scene(demo::SceneSettings{});
  cv::Mat empty, one, before;
  CHECK(demo::thing_names().size() >= 6);
  CHECK(scene.draw(40, "", empty).empty());
  before = empty.clone();
  for (const std::string& name : demo::thing_names()) {
    CHECK(scene.draw(40, name, one) == name);
    CHECK(difference(one, empty) > 2.0);
    CHECK(difference(one, before) > 2.0);
    one.copyTo(before);
  }
  CHECK(scene.draw(40, "no such thing", one).empty());
  CHECK(equal(one, empty));
}

TEST_CASE("things come one after the other, with an empty table between") {
  demo::SceneSettings settings;
  settings.things = {"mug", "duck"};
  settings.hold = 1.0;
  settings.empty = 0.5;
  settings.speed = 2.0;
  demo::Scene scene(settings);
  cv::Mat picture;
  std::vector<std::string> seen;
  for (std::uint64_t number = 1; number < 60; ++number) {
    const std::string name = scene.draw(number, picture);
    if (seen.empty() || seen.back() != name) seen.push_back(name);
  }
  CHECK(seen == std::vector<std::string>{"mug", "", "duck", "", "mug"});
}

TEST_CASE("light, room, colours and pose change over time") {
  demo::SceneSettings settings;
  settings.things = {"mug"};
  demo::Scene scene(settings);
  cv::Mat picture;
  double least = 255.0, most = 0.0, least_red = 10.0, most_red = 0.0;
  for (std::uint64_t number = 1; number < 1800; number += 30) {
    scene.draw(number, picture);
    const cv::Scalar mean = cv::mean(picture);
    const double brightness = (mean[0] + mean[1] + mean[2]) / 3;
    least = std::min(least, brightness);
    most = std::max(most, brightness);
    least_red = std::min(least_red, mean[2] / mean[0]);
    most_red = std::max(most_red, mean[2] / mean[0]);
  }
  CHECK(most > 1.7 * least);
  CHECK(most_red > 1.4 * least_red);
}

TEST_CASE("frames come 30 a second, the newest, late ones dropped") {
  DemoSource source = opened("demo://mug");
  SourceFrame frame;
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.name == "mug");
  CHECK(frame.view.width == 640);
  CHECK(check(frame.view) == Status::kOk);
  const std::uint64_t first = frame.number;
  const double then = frame.captured_at;
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.number >= first + 8);
  CHECK(source.dropped() == frame.number - first - 1);
  CHECK(static_cast<double>(frame.number - first) <= 30.0 * (frame.captured_at - then) + 2);
}

TEST_CASE("a deadline that is too short is a timeout") {
  SourceOptions options;
  options.rate = 2.0;
  DemoSource source = opened("demo://mug", options);
  SourceFrame frame;
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  const double before = steady_seconds();
  CHECK(source.capture(0.0, frame) == Capture::kTimeout);
  CHECK(source.capture(0.01, frame) == Capture::kTimeout);
  CHECK(steady_seconds() - before < 0.4);
}

TEST_CASE("what is shown can be chosen, by a call or by a file") {
  SourceFrame frame;
  DemoSource source = opened("demo://");
  CHECK(source.show("clock"));
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.name == "clock");
  CHECK(source.show(""));
  REQUIRE(source.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.name.empty());
  CHECK_FALSE(source.show("elephant"));

  jackdaw::testing::TemporaryFolder folder;
  const std::string file = folder.path("show");
  DemoSource told = opened("demo://mug?control=" + file);
  REQUIRE(told.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.name == "mug");
  for (const char* name : {"duck", "rocket", ""}) {
    std::ofstream(file) << name << "\n";
    REQUIRE(told.capture(1.0, frame) == Capture::kFrame);
    CHECK(frame.name == name);
  }
  std::remove(file.c_str());
  REQUIRE(told.capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.name == "mug");
}

TEST_CASE("sizes and flips are kept to, and what is wrong is refused") {
  SourceOptions options;
  options.width = 320;
  options.height = 200;
  options.flip = "rotate-90";
  options.uri = "demo://ball";
  const auto source = open_source(options);
  SourceFrame frame;
  REQUIRE(source->capture(1.0, frame) == Capture::kFrame);
  CHECK(frame.view.width == 200);
  CHECK(frame.view.height == 320);
  CHECK(source->uri() == "demo://ball");
  CHECK_THROWS_WITH_AS(opened("demo://elephant"), doctest::Contains("there are: mug, ball"),
                       SettingsError);
  CHECK_THROWS_AS(opened("demo://?speed=fast"), SettingsError);
  CHECK_THROWS_AS(opened("demo://?hold=0"), SettingsError);
}

}  // namespace jackdaw::live
