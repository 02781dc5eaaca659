// SPDX-FileCopyrightText: The Jackdaw authors
// SPDX-License-Identifier: Apache-2.0

#include "live/source/folder_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>

#include "jackdaw/error.hpp"
#include "live/source/frame_of.hpp"
#include "live/source/frozen.hpp"
#include "live/source/natural_order.hpp"
#include "live/steady_clock.hpp"
#include "support/temporary_folder.hpp"

namespace jackdaw::live {
namespace {

using jackdaw::testing::TemporaryFolder;

void write_picture(const std::string& path, int grey) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  REQUIRE(cv::imwrite(path, cv::Mat(24, 32, CV_8UC3, cv::Scalar::all(grey))));
}

SourceOptions fast(const std::string& uri) {
  SourceOptions options;
  options.uri = uri;
  options.rate = 1000.0;
  return options;
}

struct Shown {
  std::vector<std::string> names;
  std::vector<int> greys;
};

Shown show_all(Source& source) {
  Shown shown;
  SourceFrame frame;
  while (source.capture(5.0, frame) == Capture::kFrame) {
    shown.names.push_back(frame.name);
    shown.greys.push_back(static_cast<int>(frame.view.data[0]));
    CHECK(frame.number == shown.greys.size());
  }
  CHECK(source.capture(0.0, frame) == Capture::kEnd);
  return shown;
}

}  // namespace

TEST_CASE("names are sorted as people count") {
  std::vector<std::string> names{"a10", "a2",    "a1b", "a01", "b",
                                 "a/z", "a-1/x", "a1",  "",    "a100000000000000000000"};
  std::sort(names.begin(), names.end(), natural_less);
  CHECK(names == std::vector<std::string>{"", "a/z", "a-1/x", "a01", "a1", "a1b", "a2", "a10",
                                          "a100000000000000000000", "b"});
  for (const auto& name : names) CHECK_FALSE(natural_less(name, name));
}

TEST_CASE("a folder's pictures come class by class, 2 before 10, and none is skipped") {
  TemporaryFolder folder;
  write_picture(folder.path("mug/2.png"), 20);
  write_picture(folder.path("mug/10.png"), 30);
  write_picture(folder.path("mug/1/x.png"), 10);
  write_picture(folder.path("ball/9.png"), 5);
  write_picture(folder.path("7.png"), 1);
  for (const std::string& uri : {folder.path(), "file://" + folder.path() + "/"}) {
    const auto source = open_source(fast(uri));
    const Shown shown = show_all(*source);
    CHECK(shown.names == std::vector<std::string>{"", "ball", "mug", "mug", "mug"});
    CHECK(shown.greys == std::vector<int>{1, 5, 10, 20, 30});
    CHECK(source->message().empty());
  }
  const Shown some = show_all(*open_source(fast(folder.path("mug/*.png"))));
  CHECK(some.names == std::vector<std::string>{"mug", "mug"});
  CHECK(show_all(*open_source(fast(folder.path("mug/10.png")))).greys == std::vector<int>{30});
}

TEST_CASE("a folder is shown again as often as asked") {
  TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) write_picture(folder.path(std::to_string(i) + ".png"), i);
  SourceOptions options = fast(folder.path());
  options.loop = 2;
  CHECK(show_all(*open_source(options)).greys == std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2});
  options.loop = -1;
  const auto source = open_source(options);
  SourceFrame frame;
  for (int i = 0; i < 50; ++i) REQUIRE(source->capture(5.0, frame) == Capture::kFrame);
}

TEST_CASE("a broken picture is counted and said, and the rest is shown") {
  TemporaryFolder folder;
  write_picture(folder.path("1.png"), 1);
  std::ofstream(folder.path("2.png")) << "broken";
  write_picture(folder.path("3.png"), 3);
  SourceOptions options = fast(folder.path());
  options.loop = 1;
  const auto source = open_source(options);
  CHECK(show_all(*source).greys == std::vector<int>{1, 3, 1, 3});
  CHECK(source->message().find("2 pictures could not be read") == 0);
  CHECK(source->message().find("2.png") != std::string::npos);
}

TEST_CASE("a folder of which nothing can be read ends, even played for ever") {
  TemporaryFolder folder;
  std::ofstream(folder.path("2.png")) << "broken";
  SourceOptions options = fast(folder.path());
  options.loop = -1;
  SourceFrame frame;
  CHECK(open_source(options)->capture(5.0, frame) == Capture::kEnd);
}

TEST_CASE("pictures come at the rate asked for, and a deadline is kept") {
  TemporaryFolder folder;
  for (int i = 0; i < 4; ++i) write_picture(folder.path(std::to_string(i) + ".png"), i);
  SourceOptions options = fast(folder.path());
  options.rate = 20.0;
  const auto source = open_source(options);
  SourceFrame frame;
  REQUIRE(source->capture(5.0, frame) == Capture::kFrame);
  const double first = frame.captured_at;
  CHECK(source->capture(0.001, frame) == Capture::kTimeout);
  while (source->capture(5.0, frame) == Capture::kFrame) continue;
  CHECK(frame.captured_at - first >= 3 / 20.0 - 0.06);
}

TEST_CASE("sizes and flips are kept to") {
  TemporaryFolder folder;
  write_picture(folder.path("1.png"), 9);
  SourceOptions options = fast(folder.path());
  options.flip = "rotate-90";
  SourceFrame frame;
  auto source = open_source(options);
  REQUIRE(source->capture(5.0, frame) == Capture::kFrame);
  CHECK(frame.view.width == 24);
  CHECK(frame.view.height == 32);
  options.width = 64;
  options.height = 16;
  source = open_source(options);
  REQUIRE(source->capture(5.0, frame) == Capture::kFrame);
  CHECK(frame.view.width == 16);
  CHECK(frame.view.height == 64);
}

TEST_CASE("a folder without pictures is a bad source") {
  TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(open_source(fast(folder.path())), doctest::Contains("holds no pictures"),
                       SettingsError);
  CHECK_THROWS_WITH_AS(open_source(fast(folder.path("*.jpg"))),
                       doctest::Contains("no picture matches"), SettingsError);
}

TEST_CASE("a picture that stands still is noticed after so many frames and seconds") {
  cv::Mat picture(480, 640, CV_8UC3);
  cv::randu(picture, 0, 255);
  const FrameView view = frame_of(picture);
  FrozenDetector detector({5, 1.0});
  for (int i = 0; i < 30; ++i) CHECK_FALSE(detector.same_again(view, 0.01 * i));  // not long enough
  CHECK(detector.same_again(view, 1.01));
  CHECK(detector.same_again(view, 5.0));
  cv::randu(picture, 0, 255);  // it moves again
  CHECK_FALSE(detector.same_again(view, 5.1));
  for (int i = 0; i < 4; ++i) CHECK_FALSE(detector.same_again(view, 10.0 + i));  // too few
  CHECK(detector.same_again(view, 20.0));
  detector.restart();
  CHECK_FALSE(detector.same_again(view, 30.0));
}

TEST_CASE("the least noise is enough for a picture that lives") {
  cv::Mat picture(480, 640, CV_8UC3, cv::Scalar::all(100));
  FrozenDetector detector({5, 1.0});
  cv::RNG random(7);
  for (int i = 0; i < 100; ++i) {
    for (int k = 0; k < 2000; ++k)
      picture.at<cv::Vec3b>(random.uniform(0, 480), random.uniform(0, 640))[1] ^= 1;
    CHECK_FALSE(detector.same_again(frame_of(picture), i));
  }
  FrameView broken;
  CHECK_FALSE(detector.same_again(broken, 200.0));
}

}  // namespace jackdaw::live
